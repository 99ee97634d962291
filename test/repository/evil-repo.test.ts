import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import { findProgram } from '../../src/backends/lsp/process/find-program.ts';
import { LspanError } from '../../src/core/errors.ts';
import { isPathWithin } from '../../src/platform/files/path-within.ts';
import type { ServerDefinition } from '../../src/servers/definition.ts';
import { servers } from '../../src/servers/index.ts';
import { type BuiltLspan, type BuiltOptions, openBuilt, questionsAbout } from '../evil-repo/built-lspan.ts';
import { type EvilRepo, writeEvilRepo } from '../evil-repo/evil-repo.ts';
import { sampleOf } from '../evil-repo/samples.ts';
import { readRuns, tracing, whyNotTraced } from '../evil-repo/traced-runs.ts';
import { lackedPrograms, unlessSkipped } from '../missing-programs.ts';

const patience = { timeout: 180_000 };

// A server that is slow to answer, or whose project such a repository has broken, is waited for beside the others.
describe.concurrent('SUP-01 a hostile repository', () => {
  it('has traps that work: what is run or loaded leaves its canary', (context) => {
    const { root, canaries } = hostile(context);
    const run = (command: string, ...args: string[]) => spawnSync(command, args, { cwd: root });
    run(path.join(root, 'bin/clangd'));
    run(process.execPath, '.eslintrc.js');
    run(process.execPath, 'node_modules/typescript/lib/tsserver.js');
    const loaded = existsSync(path.join(root, 'evil.so')) ? ['compiler-plugin'] : [];
    spawnSync('/bin/true', { env: { LD_PRELOAD: path.join(root, 'evil.so') } });
    const expected = [
      'configuration-.eslintrc.js',
      'programs-in-bin',
      'typescript-in-node_modules',
      ...loaded,
    ];
    context.expect(Object.keys(canaries()).sort()).toEqual(expected.sort());
  });

  const lacked = lackedPrograms('git');
  const falls = unlessSkipped(lacked, 'has a git configuration that git itself falls for');
  it.skipIf(lacked !== '')(falls, (context) => {
    const { root, canaries } = hostile(context);
    spawnSync('git', ['status'], { cwd: root });
    context.expect(Object.keys(canaries())).toEqual(['git-configuration']);
  });

  for (const definition of servers.filter(isInstalled)) {
    it(`runs nothing through ${definition.id}, whatever is asked`, patience, async (context) => {
      const evil = hostile(context);
      const lspan = await open(context, evil, { servers: [definition.id] });
      const samples = samplesFor(definition);
      const starters = ['get_diagnostics', 'get_document_symbols'];
      const started = starters.map((tool) => lspan.call(tool, { file_path: samples[0]?.name }));
      const status = async () => (await lspan.call('get_server_status', { max_tokens: 20_000 })).data.servers;
      const state = context.expect.stringMatching(/^(ready|indexing|not_trusted)$/);
      // What is asked of a server that is still starting proves nothing of it; later it may fall over what it is asked.
      await context.expect.poll(status, { interval: 200 }).toMatchObject([{ id: definition.id, state }]);
      await Promise.all([...started, askAll(lspan, samples)]);
      await lspan.close();
      context.expect(evil.canaries()).toEqual({});
    });
  }

  it('is answered about all the same, and what was withheld is told', patience, async (context) => {
    const evil = hostile(context);
    const lspan = await open(context, evil, { servers: ['typescript', 'pyright', 'eslint'], deadline: 60 });
    for (const [file_path, line] of [
      ['sample.ts', 1],
      ['sample.py', 3],
    ] as const) {
      const { data } = await lspan.call('find_definition', { file_path, symbol_name: 'greet' });
      context.expect(data).toMatchObject({ complete: true, definitions: [{ file_path, line }] });
    }
    const problems = await lspan.call('get_diagnostics', { file_path: 'sample.ts' });
    context.expect(problems.data.doubts).toEqual([]);
    const { text } = await lspan.call('get_server_status', { max_tokens: 20_000 });
    context.expect(text).toMatch(/eslint.*not trusted/);
    for (const [file, key] of [
      ['lspan.toml', 'servers'],
      ['.lspan/config.toml', 'command'],
      ['lspan.json', 'interpreter'],
    ]) {
      context.expect(text).toContain(`${file}: ${key} is ignored`);
    }
    await lspan.close();
    context.expect(evil.canaries()).toEqual({});
  });

  it('SUP-13 changes nothing of what the tools are and say', patience, async (context) => {
    const evil = hostile(context);
    const lspan = await open(context, evil, { servers: [] });
    const plain = await openBuilt({ root: folderOf(context), servers: [] });
    context.onTestFinished(() => plain.close());
    const listed = await lspan.list();
    context.expect(listed).toEqual(await plain.list());
    context.expect(JSON.stringify(listed)).toMatch(/^[\x20-\x7e]*$/);
  });
});

const untraced = whyNotTraced();
const reason = untraced === '' ? '' : ` (skipped: ${untraced})`;

describe.skipIf(untraced !== '')(`SUP-05 from the start of the process${reason}`, () => {
  it(
    'nothing of the repository is run, no git, no npm, and in its folder only servers',
    patience,
    async (context) => {
      const evil = hostile(context);
      const output = path.join(folderOf(context), 'trace');
      const ids = ['typescript-language-server', 'pyright'];
      // A trace has the numbers that processes have in their sandbox, by which their folders cannot be followed.
      const lspan = await open(context, evil, { servers: ids, before: tracing(output), confine: 'never' });
      const samples = servers.filter(({ id }) => ids.includes(id)).flatMap(samplesFor);
      await askAll(lspan, samples);
      for (const tool of ['restart_server', 'stop_server']) {
        expect(await lspan.call(tool, {})).toMatchObject({ isError: false });
        await askAll(lspan, samples.slice(0, 1));
      }
      await lspan.close();
      const [itself, ...runs] = readRuns(readFileSync(output, 'utf8'), evil.root);
      expect(itself).toMatchObject({ cwd: evil.root, words: expect.stringContaining('dist/bin.js') });
      expect(runs.filter(({ file }) => isPathWithin(evil.root, file))).toEqual([]);
      expect(runs.filter(({ file, words }) => isPackageTool(file, words))).toEqual([]);
      const there = runs.filter(({ cwd, succeeded }) => succeeded && isPathWithin(evil.root, cwd));
      expect(there.length).toBeGreaterThanOrEqual(ids.length);
      expect(there.filter(({ file, words }) => !isServer(file, words))).toEqual([]);
    },
  );
});

function folderOf({ onTestFinished }: TestContext): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-evil-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function hostile(context: TestContext): EvilRepo {
  return writeEvilRepo(folderOf(context));
}

/** The built program on a hostile repository, with a PATH and variables that lead into it. */
async function open(
  { onTestFinished }: TestContext,
  { root, searchPath }: EvilRepo,
  options: Omit<BuiltOptions, 'root'>,
): Promise<BuiltLspan> {
  const environment = {
    // A script that stands for Python would run others.
    PATH: searchPath
      .split(':')
      .filter((folder) => !folder.endsWith('/shims'))
      .join(':'),
    VIRTUAL_ENV: path.join(root, '.venv'),
    CARGO_HOME: path.join(root, '.cargo'),
    GOFLAGS: `-toolexec=${root}/go-tool`,
    GOENV: path.join(root, 'go.env'),
    RUSTC_WRAPPER: path.join(root, '.cargo/evil'),
    PYTHONPATH: root,
    BASH_ENV: path.join(root, '.bashrc'),
    ENV: path.join(root, '.profile'),
    GIT_DIR: path.join(root, '.git'),
    npm_config_userconfig: path.join(root, '.npmrc'),
  };
  const lspan = await openBuilt({ root, environment, ...options });
  onTestFinished(() => lspan.close());
  return lspan;
}

function samplesFor({ extensions }: ServerDefinition) {
  return Object.entries(extensions)
    .slice(0, 2)
    .map(([key, language]) => sampleOf(key, language));
}

async function askAll(lspan: BuiltLspan, samples: ReturnType<typeof samplesFor>): Promise<void> {
  const questions = samples.flatMap(({ name, text }) => questionsAbout(name, text));
  await Promise.all(questions.map(({ tool, input }) => lspan.call(tool, input)));
}

function isPackageTool(file: string, words: string): boolean {
  return /^(git|npm|npx|yarn|pnpm|corepack)$/.test(path.basename(file)) || /\b(npm|npx)-cli\.js/.test(words);
}

/** The shell that becomes a server, the server itself with what of its own it runs by Node, and Pyright's question to Python where its libraries are. */
function isServer(file: string, words: string): boolean {
  if (file === '/bin/sh') return words.includes('"lspan-server"');
  const own = /node_modules\/(typescript-language-server|typescript-5|pyright)\//;
  if (/^\/usr\/(local\/)?bin\/python3?$/.test(file)) return words.includes('orig_sys_path');
  return file === process.execPath && own.test(words);
}

function isInstalled({ id, program, install }: ServerDefinition): boolean {
  try {
    findProgram(program.sources, { server: id, install, roots: [], environment: process.env });
    return true;
  } catch (error) {
    if (error instanceof LspanError) return false;
    throw error;
  }
}
