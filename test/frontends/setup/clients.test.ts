import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentClient, Scope } from '../../../src/frontends/setup/clients/client.ts';
import { clients } from '../../../src/frontends/setup/clients/clients.ts';
import { entryFileOf } from '../../../src/frontends/setup/file-task.ts';
import { section, shown, windows, withMark } from './golden-sections.ts';
import { renderClientsPage } from './render-clients-page.ts';
import { openSetupShell } from './setup-shell.ts';

const golden = path.join(import.meta.dirname, 'clients.golden.txt');

const rows = clients.flatMap((client) => {
  const scopes: readonly Scope[] = client.project === undefined ? ['user'] : ['user', 'project'];
  return scopes.map((scope) => ({ id: client.id, scope, client }));
});

if (process.env.UPDATE_GOLDEN === '1') {
  it('the golden file is made', async () => {
    const sections: string[] = [];
    for (const { id, scope, client } of rows) {
      const cases = {
        'from nothing': undefined,
        'from an existing file': existing(client),
        'from another entry': configured(client),
      };
      for (const [title, text] of Object.entries(cases)) {
        const { run, read, write, file } = openShellOf(client, scope);
        if (text !== undefined) write(file, text);
        await run(`${id} --scope ${scope} --yes`);
        sections.push(`==== ${id} ${scope} ${title}: ${shown(file)}\n${read(file)}`);
      }
    }
    writeFileSync(golden, sections.join(''));
  });
}

describe.each(rows)('$id, for the $scope', ({ id, scope, client }) => {
  const words = `${id} --scope ${scope} --yes`;

  it('is set up from nothing, once, and nothing is left after it', async () => {
    const { run, read, file } = openShellOf(client, scope);
    expect(await run(words)).toMatchObject({ code: 0 });
    expect(read(file)).toBe(section(golden, `${id} ${scope} from nothing: ${shown(file)}`));
    const again = await run(words);
    expect(again.told).toContain('already set up');
    expect(read(file)).toBe(section(golden, `${id} ${scope} from nothing: ${shown(file)}`));
    expect(await run(`${words} --remove`)).toMatchObject({ code: 0 });
    expect(read(file)).toBeUndefined();
  });

  it('keeps every other byte of a file with comments, with either line ending, and gives them all back', async () => {
    const text = existing(client);
    for (const change of [(one: string) => one, windows, withMark, (one: string) => one.trimEnd()]) {
      const { run, read, write, file } = openShellOf(client, scope);
      write(file, change(text));
      expect(await run(words)).toMatchObject({ code: 0 });
      expect(read(file)).toBe(
        change(section(golden, `${id} ${scope} from an existing file: ${shown(file)}`)),
      );
      expect(await run(words)).toMatchObject({ code: 0, told: expect.stringContaining('already set up') });
      expect(await run(`${words} --remove`)).toMatchObject({ code: 0 });
      expect(read(file)).toBe(change(text));
    }
  });

  it('corrects an entry that starts something else, and keeps the keys and flags of the user', async () => {
    const { run, read, write, file } = openShellOf(client, scope);
    const text = configured(client);
    write(file, text);
    const { told } = await run(words);
    expect(read(file)).toBe(section(golden, `${id} ${scope} from another entry: ${shown(file)}`));
    expect(told).toContain('--workspace');
    const removed = await run(`${words} --remove`);
    expect(removed.told).toContain('The entry that was there before lspan setup comes back');
    expect(read(file)).toBe(text);
    await run(`${words} --remove`);
    expect(read(file)).not.toContain('lspan');
  });

  it('leaves a malformed file alone, and says where it is malformed', async () => {
    const { run, read, write, file } = openShellOf(client, scope);
    const text = malformed[client.format];
    write(file, text);
    const { code, told } = await run(words);
    expect(code).toBe(1);
    expect(told).toMatch(/: ~\/.*:2:\d+: this is not (JSON|TOML|YAML)/);
    expect(read(file)).toBe(text);
  });
});

it('docs/clients.md has a section for every client, from the table and the golden files', () => {
  const page = path.resolve(import.meta.dirname, '../../../docs/clients.md');
  const present = renderClientsPage(clients, (id) => {
    const title = titles().find((one) => one.startsWith(`${id} user from nothing`)) ?? '';
    return section(golden, title);
  });
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(page, present);
  expect(readFileSync(page, 'utf8')).toBe(present);
});

it('the golden file has no case that is gone', () => {
  const known = titles().filter((title) => rows.some(({ id, scope }) => title.startsWith(`${id} ${scope} `)));
  expect(titles()).toEqual(known);
  expect(titles()).toHaveLength(rows.length * 3);
});

const malformed = {
  json: '{\n  "a": 1,, // x\n}\n',
  toml: 'a = 1\nb = \n',
  yaml: 'a: 1\n- b\n',
} as const;

function openShellOf(client: AgentClient, scope: Scope) {
  const shell = openSetupShell();
  const machine = { platform: 'linux' as const, environment: {}, home: shell.home };
  const file = entryFileOf(client, { scope, machine, project: shell.at('project') });
  return { ...shell, file: path.relative(shell.home, file) };
}

/** A file with comments, other servers, and the user's own style. */
function existing({ format, key }: AgentClient): string {
  if (format === 'toml')
    return `# mine\nmodel = "m"   # keep\n\n[${key}.other] # other\ncommand = 'x'\nargs = [\n  "a", # one\n]\n\n[last]\nz = 1 # end\n`;
  if (format === 'yaml')
    return `# mine\nMODEL:   m # keep\n${key}: # all\n  other: # one\n    cmd: x\n    text: |\n      lspan:\n\nlast: [1,\n  2]\n`;
  return `{\n\t// mine\n\t"a" : [1,2],   // keep\n\t"${key}": {\n\t\t"other": {"command": "x"} // one\n\t\t// "off": {}\n\t}, /* after */\n\t"z": null\n}\n`;
}

/** A file in which lspan is started in another way, by hand. */
function configured({ format, key, shape }: AgentClient): string {
  if (format === 'toml')
    return `[${key}.lspan] # mine\nenv = { A = "b" }\ncommand = "/old/lspan" # old\nargs = ["mcp", "--workspace", "/w"]\nextra = 1\n`;
  if (format === 'yaml')
    return `${key}:\n  lspan:\n    enabled: true\n    cmd: /old/lspan\n    args:\n      - mcp\n      - --workspace\n      - /w\n    timeout: 9\n`;
  const program = shape.isOneList
    ? '"command": ["/old/lspan", "mcp", "--workspace", "/w"]'
    : '"command": "/old/lspan", // old\n      "args": ["mcp", "--workspace", "/w"]';
  return `{\n  "${key}": {\n    "lspan": {\n      "env": {"A": "b"},\n      ${program},\n      "extra": 1\n    }\n  }\n}\n`;
}

function titles(): string[] {
  return [...readFileSync(golden, 'utf8').matchAll(/^==== (.*)$/gm)].map(([, title]) => title ?? '');
}
