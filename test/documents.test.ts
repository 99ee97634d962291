import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { repositorySchema } from '../src/config/schema/schema.ts';
import { commandNames, flagsOf } from '../src/frontends/cli/flags.ts';
import { toolsetsOf } from '../src/frontends/mcp/offer.ts';
import { exitCodes } from '../src/frontends/process-life.ts';
import { catalogue } from '../src/surfaces/catalogue.ts';

const root = path.resolve(import.meta.dirname, '..');
const decisions = readdirSync(path.join(root, 'docs/decisions')).sort();
const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'AGENTS.md',
  'editors/vscode/README.md',
  ...['docs', 'examples'].flatMap(list).filter(isPage),
];
const ownNames = new Set(
  ['src', 'test', 'scripts', 'editors/vscode/src'].flatMap(list).map((file) => path.basename(file)),
);
const configuration = read('docs/configuration.md');
const architecture = read('docs/architecture.md');

describe('links and paths in the documents', () => {
  it.each(pages)('every link of %s leads somewhere', (page) => {
    const targets = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? '');
    expect(targets.filter((target) => !/^https:/.test(target) && !leadsSomewhere(page, target))).toEqual([]);
  });

  it.each(pages)('every file that %s names is there', (page) => {
    const named = [...read(page).matchAll(/`((?:src|test|scripts|bench|docs|demo|\.ci)\/[\w./-]+)`/g)];
    const missing = named.map(([, file]) => file ?? '').filter((file) => !existsSync(path.join(root, file)));
    const bare = [...read(page).matchAll(/`([\w-]+\.[tj]s)`/g)].map(([, name]) => name ?? '');
    expect([...missing, ...bare.filter((name) => !ownNames.has(name))]).toEqual([]);
  });

  it('the tarball that the documents install is the one that `npm run package` makes', () => {
    const { name, version }: { name: string; version: string } = JSON.parse(read('package.json'));
    const named = pages.flatMap((page) => read(page).match(/[\w.-]+\.tgz/g) ?? []);
    expect(new Set(named)).toEqual(new Set([`${name}-${version}.tgz`]));
  });

  it('every script that the documents run by npm exists', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));
    const run = pages.flatMap((page) =>
      [...read(page).matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name),
    );
    expect(run.filter((name) => !Object.hasOwn(scripts, name ?? ''))).toEqual([]);
  });
});

describe('what the documents show of the program', () => {
  const nobody = mkdtempSync(path.join(tmpdir(), 'lspan-documents-'));
  afterAll(() => rmSync(nobody, { recursive: true }));
  const environment = { ...process.env, XDG_CONFIG_HOME: nobody, CLAUDE_PROJECT_DIR: '' };

  it.each(pages.flatMap(transcripts))('$page: $command', async ({ command, output }) => {
    const inClone = command.replace(/^lspan\b/, 'node dist/bin.js');
    const options = { cwd: root, env: environment };
    const printed = await promisify(execFile)('/bin/sh', ['-c', `${inClone} 2>&1 || true`], options);
    expect(steady(printed.stdout)).toBe(steady(output));
  });

  it('the README shows at least one answer and one error', () => {
    const shown = transcripts('README.md').map(({ output }) => output);
    expect(shown.some((output) => output.includes('\nNext: '))).toBe(true);
    expect(shown.filter((output) => !output.includes('\nNext: '))).not.toEqual([]);
  });

  it('the README has a row for every tool, and no other', () => {
    const offered = catalogue.find(({ name }) => name === 'lspan')?.tools.map(({ name }) => name);
    const rows = [...section(read('README.md'), 'Tools').matchAll(/^\| `(\w+)` \|/gm)].map(
      ([, name]) => name,
    );
    expect(rows).toEqual(offered);
  });

  it('the README compares lspan with the programs and versions that the bench runs, and that were measured', () => {
    const peers = list('bench/peers').map(read).join('\n');
    const found = [...peers.matchAll(/name: '([^']+)',\n +version: '([\d.]+)'/g)];
    const named = found.map(([, name, version]) => `${name} ${version}`);
    expect(named).toHaveLength(3);
    for (const page of [section(read('README.md'), 'Beside other programs'), read('bench/RESULTS.md')])
      expect(named.filter((name) => !page.includes(name))).toEqual([]);
  });

  it('every block of JSON in the documents is JSON', () => {
    for (const text of pages.flatMap((page) => blocks(page, 'json')))
      expect(JSON.parse(text)).toBeTypeOf('object');
  });
});

describe('docs/configuration.md', () => {
  it('names every key that a repository may set, every toolset and surface', () => {
    const told = section(configuration, "A repository's file").split('and nothing else')[0] ?? '';
    const keys = [...told.matchAll(/`(\w+)`/g)].map(([, key]) => key).filter((key) => key !== undefined);
    expect(keys).toEqual(Object.keys(repositorySchema.shape));
    const toolsets = catalogue.slice(0, 1).flatMap(toolsetsOf);
    const names = [...toolsets, ...catalogue.map(({ name }) => name)];
    expect(names.filter((name) => !configuration.includes(`\`${name}\``))).toEqual([]);
  });

  it('has every flag, and every exit code', () => {
    const flags = new Set(commandNames.flatMap((command) => flagsOf(command).map(({ name }) => `--${name}`)));
    const told = [...section(configuration, 'Flags').matchAll(/^\| [^|]*?`(--[\w-]+)/gm)].map(
      ([, flag]) => flag,
    );
    expect(new Set(told)).toEqual(flags);
    const codes = [...section(configuration, 'Exit codes').matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(
      ([, cell]) => cell?.split(', '),
    );
    expect(codes).toEqual(expect.arrayContaining(Object.values(exitCodes).map(String)));
  });
});

/** What the architecture says that never happens: the sentence, what would be a breach, and where it is none. */
const absences: readonly {
  readonly sentence: string;
  readonly breach: RegExp;
  readonly but?: readonly string[];
}[] = [
  {
    sentence: 'Nothing but `src/frontends/mcp` imports the MCP SDK',
    breach: /'@modelcontextprotocol\//,
    but: ['frontends/mcp/'],
  },
  {
    sentence: 'LSP method names stand only in `src/backends/lsp`',
    // `workspace/synchronize` is one server's own, in spite of its name.
    breach: /'(textDocument|workspace|window|client)\/(?!synchronize')/,
    but: ['backends/lsp/'],
  },
  {
    sentence: 'No language server is named outside `src/servers`',
    breach: /pyright|tsserver|typescript-language-server|gopls/,
    but: ['servers/', 'config/schema/schema.ts', 'config/schema/server-schema.ts'],
  },
  {
    sentence: 'Only `src/platform` starts processes',
    breach: /^import (?!type\b).*'node:child_process'/m,
    but: ['platform/'],
  },
  {
    sentence: 'no git process but by `src/manage-indexes.ts`',
    breach: /['"`]git['"`]/,
    but: ['manage-indexes.ts'],
  },
  {
    sentence: 'Nothing opens a network connection but `src/backends/index/store/postgres-store.ts`',
    // The SDK calls it so that it is handed a request, or a transport of ours.
    breach:
      /'node:(https|http2|dns|tls|dgram)'|import\('postgres'\)|\b(request|get|Agent)\b.*'node:http'|(?<!\bsdk\.)\bfetch\(|(?<!\b(?:server|super))\.connect\(/,
    but: ['backends/index/store/postgres-store.ts'],
  },
  {
    sentence: 'only `src/frontends/http/http-server.ts` listens for one',
    breach: /\bcreateServer\b|\.listen\(/,
    // These listen on the machine itself, by names that no network has.
    but: [
      'frontends/http/http-server.ts',
      'frontends/daemon/server/daemon-server.ts',
      'frontends/daemon/server/run-daemon.ts',
      'frontends/daemon/instance-lock.ts',
    ],
  },
  {
    sentence: "Only `src/workspace` reads the text of the user's files; `src/config` reads its own",
    breach: /\b(readFileSync|readFile|readSync|createReadStream)\b/,
    // The facts of processes, the heads of programs, and the manifests of lspan's own installation.
    but: [
      'workspace/',
      'edits/disk/file-system.ts',
      'config/read-own-file.ts',
      'frontends/setup/client-file.ts',
      'platform/',
      // What its own fake servers have noted.
      'testing/',
    ],
  },
  {
    sentence: 'Nothing writes to the disk but the cookie',
    breach:
      /\b(write(File)?Sync|appendFile\w*|createWriteStream|mkdir\w*|mkdtemp\w*|rename(Sync)?|unlink\w*|rm(dir)?Sync)\(/,
    but: [
      'edits/',
      'workspace/freshness/cookie.ts',
      'frontends/observe/trace-file.ts',
      'config/trust/trust-file.ts',
      'config/tokens/token-staging.ts',
      'config/tokens/write-tokens.ts',
      'platform/files/private-file.ts',
      'platform/files/private-folder.ts',
      'platform/files/bounded-file.ts',
      'platform/files/bundle-file.ts',
      'platform/install/install-folder.ts',
      'platform/large-files/published-files.ts',
      'platform/files/run-folder.ts',
      'platform/sandbox/memory-group.ts',
      'frontends/setup/client-file.ts',
    ],
  },
  {
    sentence: 'Only `src/frontends` writes to stdout or ends the process, and `src/bin.ts`',
    breach: /\bprocess\.(stdout|exit\()|\{ stdout \} = process;|\bconsole\./,
    but: ['frontends/', 'bin.ts'],
  },
  { sentence: 'There is no mutable state at the level of a module', breach: /^(export )?(let|var) /m },
  {
    sentence: 'There are two classes of errors',
    breach: /extends Error\b/,
    but: ['core/errors.ts', 'jsonrpc/message.ts'],
  },
  {
    sentence: 'Positions that count from 1 exist only in `src/tools` and `src/surfaces`',
    breach: /\b(to|from)LineColumn\(/,
    but: ['tools/', 'surfaces/', 'core/position.ts'],
  },
];

describe('docs/architecture.md', () => {
  it.each(absences)('is right that: $sentence', ({ sentence, breach, but = [] }) => {
    expect(architecture).toContain(sentence);
    const sources = list('src').filter((file) => !isElsewhere(file) && breach.test(code(file)));
    expect(sources.filter((file) => !but.some((place) => file.startsWith(`src/${place}`)))).toEqual([]);
  });

  it('claims nothing that is not looked for', () => {
    const claims = section(architecture, 'What never happens')
      .split('\n')
      .filter((line) => line.startsWith('- '));
    expect(claims.filter((claim) => !absences.some(({ sentence }) => claim.includes(sentence)))).toEqual([]);
  });

  it('has a row for every folder of the sources', () => {
    const rows = [...section(architecture, 'Folders').matchAll(/^\| `src\/([\w-]+)/gm)].map(
      ([, name]) => name,
    );
    const folders = readdirSync(path.join(root, 'src'), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    expect(rows.sort()).toEqual(folders.map(({ name }) => name).sort());
  });
});

describe('the decision records', () => {
  it.each(decisions)('%s is short and has context, decision and consequences', (name) => {
    const text = read(`docs/decisions/${name}`);
    const headings = text.split('\n').filter((line) => line.startsWith('## '));
    expect(headings).toEqual(['## Context', '## Decision', '## Consequences']);
    expect(text.split('\n').length).toBeLessThanOrEqual(41);
  });

  it('are numbered without gaps, in the name and in the title', () => {
    decisions.forEach((name, index) => {
      expect(name).toMatch(new RegExp(`^${String(index + 1).padStart(4, '0')}-[a-z0-9-]+\\.md$`));
      expect(read(`docs/decisions/${name}`)).toMatch(new RegExp(`^# ${index + 1}\\. `));
    });
  });

  it('tell why of every dependency', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json'));
    const told = read('docs/decisions/0001-one-package.md');
    const names = Object.keys({ ...dependencies, ...devDependencies });
    expect(names.filter((name) => !told.includes(`\`${name}\``))).toEqual([]);
  });
});

interface Transcript {
  readonly page: string;
  readonly command: string;
  readonly output: string;
}

/** The commands in the blocks of a page that are marked `console`, each with what it prints. */
function transcripts(page: string): Transcript[] {
  return blocks(page, 'console').flatMap((block) => {
    const [, ...parts] = `\n${block}`.split('\n$ ');
    return parts.map((part) => {
      const [command = '', ...output] = part.split('\n');
      return { page, command, output: output.join('\n') };
    });
  });
}

/** Without what differs between machines and runs. */
function steady(text: string): string {
  return text
    .trimEnd()
    .replaceAll(root, '/path/to/lspan')
    .replaceAll(`${process.platform}-${process.arch}`, '<platform>')
    .replace(/since: d[0-9a-f]{8}/g, 'since: <token>')
    .replace(/pid \d+, up \d+ s, \d+ MB/g, '<facts>');
}

function blocks(page: string, language: string): string[] {
  const found = read(page).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'));
  return [...found].map(([, text]) => text ?? '');
}

function section(text: string, title: string): string {
  return text.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';
}

function leadsSomewhere(page: string, target: string): boolean {
  const [file = '', anchor] = target.split('#');
  const found = path.resolve(root, path.dirname(page), file || path.basename(page));
  if (!existsSync(found) || anchor === undefined) return existsSync(found);
  const titles = [...readFileSync(found, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title]) => title ?? '');
  return anchors(titles.map(slug)).includes(anchor);
}

/** Of headings that are the same, GitHub numbers all but the first. */
function anchors(slugs: readonly string[]): string[] {
  return slugs.map((one, index) => {
    const before = slugs.slice(0, index).filter((other) => other === one).length;
    return before === 0 ? one : `${one}-${before}`;
  });
}

/** The anchor that GitHub gives to a heading, where it is the first of its kind. */
function slug(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
}

/** The fake server is another program, and the guard's script runs in language servers. */
function isElsewhere(file: string): boolean {
  return file.startsWith('src/testing/fake-server/') || file === 'src/servers/node-guard.ts';
}

/** A source without its comments, which may speak of anything. */
function code(file: string): string {
  return read(file)
    .replace(/\/\*\*.*?\*\//gs, '')
    .replace(/^\s*\/\/.*$/gm, '');
}

function list(folder: string): string[] {
  const names = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => path.extname(name) !== '');
  return files.map((name) => `${folder}/${name.replaceAll(path.sep, '/')}`).sort();
}

function isPage(file: string): boolean {
  return file.endsWith('.md');
}

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}
