import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'smol-toml';
import { expect, it, vi } from 'vitest';
import { configSchema } from '../../../../src/config/schema/config-schema.ts';
import { keyFacts } from '../../../../src/config/schema/key-facts.ts';
import { repositorySchema, userSchema } from '../../../../src/config/schema/schema.ts';
import { starterFile } from '../../../../src/config/schema/starter-file.ts';
import { runConfig } from '../../../../src/frontends/cli/commands/run-config.ts';
import { parseCommandLine } from '../../../../src/frontends/cli/parse-command-line.ts';
import { temporaryFolder } from '../../../test-bridge.ts';

vi.mock('../../../../src/servers/index.ts', () => {
  const define = (id: string) => ({
    id,
    extensions: { py: 'python' },
    program: { sources: [{ kind: 'path', name: id }], args: ['--stdio'] },
    ready: { kind: 'immediate' },
    install: 'Get it.',
  });
  return { servers: ['alpha', 'beta', 'gamma', 'delta'].map(define) };
});

const userFile = `
max_tokens = 3000
deadline_s = 25
exclude = ["mine/"]
disabled_servers = ["betta"]
deadlines_s = { get_hover = 5, find_references = 60 }
output = "both"
log_level = "info"
files = { "old/**" = ["alpha", "mine"] }
[limits]
servers_running = 2
document_mb = 0.5
[[servers]]
id = "alpha"
env = { TOKEN = "a secret" }
settings = { licence = "a secret" }
[[servers]]
id = "delta"
enabled = false
[[servers]]
id = "mine"
command = ["mine", "two words"]
extensions = ["mine"]
`;
const repositoryFile = `
max_tokens = 1000
deadline_s = 28
exclude = ["generated/"]
disabled_servers = ["gamma", "nobody said this"]
command = ["rm"]
`;

/** A user, a repository, and a PATH with two of the servers. */
function sandbox(files: { readonly user?: string; readonly repository?: string }) {
  const folder = temporaryFolder('lspan-config-');
  for (const inner of ['home/lspan', 'project', 'bin'])
    mkdirSync(path.join(folder, inner), { recursive: true });
  for (const program of ['alpha', 'mine'])
    writeFileSync(path.join(folder, 'bin', program), '#!/bin/sh\n', { mode: 0o755 });
  if (files.user) writeFileSync(path.join(folder, 'home/lspan/config.toml'), files.user);
  if (files.repository) writeFileSync(path.join(folder, 'project/lspan.toml'), files.repository);
  const environment = { XDG_CONFIG_HOME: path.join(folder, 'home'), PATH: path.join(folder, 'bin') };
  const around = { environment, cwd: folder, home: folder };
  return async (...words: readonly string[]) => {
    const command = parseCommandLine(['config', '-w', 'project', ...words]);
    if (command.kind !== 'config') throw new Error('another command');
    const told: string[] = [];
    expect(await runConfig(command, around, async (text) => void told.push(text))).toBe(0);
    return told.join('').replaceAll(folder, '/…');
  };
}

it('lspan config shows every value with its origin: default, user, repository and flag', async () => {
  const config = sandbox({ user: userFile, repository: repositoryFile });
  const mine = 'user file /…/home/lspan/config.toml';
  const theirs = 'repository file /…/project/lspan.toml';
  expect(
    await config('--output', 'text', '--read-only', '--toolset', 'navigation', '--log-format', 'json'),
  ).toBe(
    `Workspace  /…/project (by --workspace)
User file  /…/home/lspan/config.toml
! /…/project/lspan.toml: command is ignored: only your own configuration may set it, not a repository.
! ${mine}: disabled_servers: lspan knows no server betta. Did you mean beta?
! ${theirs}: disabled_servers: servers that lspan does not know: 1.

exclude                      ["mine/","generated/"]                ${mine}, ${theirs}
max_tokens                   1000                                  ${theirs}
deadline_s                   25                                    ${mine}
disabled_servers             ["betta","gamma","nobody said this"]  ${mine}, ${theirs}
output                       "text"                                flag --output
toolsets                     ["navigation"]                        flag --toolset
read_only                    true                                  flag --read-only
daemon                       false                                 default
confine                      "untrusted"                           default
log_level                    "info"                                ${mine}
log_format                   "json"                                flag --log-format
deadlines_s.get_hover        5                                     ${mine}
deadlines_s.find_references  28                                    ${theirs}
limits.servers_running       2                                     ${mine}
limits.idle_stop_s           600                                   default
limits.memory_mb             4096                                  default
limits.servers_memory_mb     0                                     default
limits.readiness_s           20                                    default
limits.diagnostics_s         5                                     default
limits.diagnostics_cold_s    15                                    default
limits.document_mb           0.5                                   ${mine}
limits.page_items            200                                   default
limits.answers_mb            8                                     default
index.store                  "embedded"                            default
index.tenant                 ""                                    default
serve.port                   3939                                  default
serve.host                   "127.0.0.1"                           default
serve.endpoint               "/mcp"                                default
serve.allow_origins          []                                    default
serve.sessions               true                                  default
serve.protocol               "all"                                 default
serve.surface                "lspan"                               default
serve.additional_roots       []                                    default
files."old/**"               ["alpha","mine"]                      ${mine}

alpha  installed      /…/bin/alpha --stdio
                      env, settings set by ${mine}
beta   not installed  No program for beta was found.
delta  disabled       switched off by ${mine}
                      enabled set by ${mine}
gamma  disabled       switched off by ${theirs}
mine   installed      /…/bin/mine "two words"
                      command, extensions set by ${mine}
`,
  );
});

it('lspan config without any file shows the defaults, also as JSON', async () => {
  const config = sandbox({});
  const shown = await config();
  expect(shown).toContain('User file  none\n');
  const report = JSON.parse(await config('--json'));
  expect(report).toMatchObject({ workspace: ['/…/project'], user_file: null, warnings: [] });
  for (const { key, value, origins } of report.values) {
    expect(origins).toEqual(['default']);
    expect(shown).toMatch(
      new RegExp(`^${key} +${JSON.stringify(value).replace(/[[\]]/g, '\\$&')} +default$`, 'm'),
    );
  }
  expect(report.servers).toMatchObject([
    { id: 'alpha', state: 'installed', command: ['/…/bin/alpha', '--stdio'], files: ['py'], changes: [] },
    { id: 'beta', state: 'not_installed', problem: 'No program for beta was found.' },
    { id: 'delta', state: 'not_installed' },
    { id: 'gamma', state: 'not_installed' },
  ]);
});

it('lspan config --config reads another file, and refuses a faulty one', async () => {
  const config = sandbox({ user: 'max_tokens = 1' });
  const folder = temporaryFolder('lspan-config-');
  writeFileSync(path.join(folder, 'other.json'), '{"max_tokens": 900}');
  expect(await config('--config', path.join(folder, 'other.json'))).toMatch(
    /^max_tokens +900 +user file .*other\.json$/m,
  );
  await expect(config()).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(
    config('--config', path.join(folder, 'other.json'), '--toolset', 'navigatoin'),
  ).rejects.toThrow(/Did you mean navigation/);
});

it('lspan config escapes control characters in paths', async () => {
  const folder = temporaryFolder('lspan-config-');
  execFileSync('mkdir', [path.join(folder, 'a\u001b[2J')]);
  const shown = await sandbox({})('-w', path.join(folder, 'a\u001b[2J'));
  expect(shown).toContain('a\\u001b[2J');
  expect(shown).not.toContain('\u001b');
});

it('lspan config --schema prints the schema', async () => {
  expect(JSON.parse(await sandbox({})('--schema'))).toEqual(configSchema());
});

it('lspan config --explain tells what a key takes, its default, what is in effect and who set it', async () => {
  const config = sandbox({ user: userFile, repository: repositoryFile });
  expect(await config('--explain', 'max_tokens')).toBe(
    `max_tokens: Default answer size in tokens. A repository's file can only lower it.

Type       a whole number
Allowed    200 to 20000
Default    4000
In effect  1000 (repository file /…/project/lspan.toml)
Example    max_tokens = 2000
`,
  );
  expect(await config('--explain', 'servers_running')).toContain(
    `In effect  2 (user file /…/home/lspan/config.toml)
Example    [limits]
           servers_running = 4
`,
  );
  expect(await config('--explain', 'output', '--output', 'text')).toContain(
    'In effect  "text" (flag --output)',
  );
  expect(await config('--explain', 'deadlines_s')).toContain(
    'In effect  deadlines_s.get_hover = 5 (user file /…/home/lspan/config.toml)\n           deadlines_s.find_references = 28 (',
  );
});

it('lspan config --explain names the servers that have a key, and never their values', async () => {
  const config = sandbox({ user: userFile });
  const told = await config('--explain', 'servers.settings');
  expect(told).toContain('In effect  servers.settings of alpha (user file /…/home/lspan/config.toml)');
  expect(told).toContain('Example    [[servers]]\n           id = "gopls"\n           settings = {');
  expect(told).not.toContain('secret');
  expect(await config('--explain', 'servers.rank')).toContain('In effect  not set');
  expect(JSON.parse(await config('--explain', 'read_only', '--json'))).toEqual({
    key: 'read_only',
    meaning: 'true: offer no tool that changes files.',
    type: 'true or false',
    default: 'false',
    in_effect: [{ key: 'read_only', value: false, origins: ['default'] }],
    example: 'read_only = true',
  });
});

it('lspan config --explain says which key was probably meant', async () => {
  const config = sandbox({});
  const wrong = (key: string) => expect(config('--explain', key)).rejects;
  await wrong('max_token').toThrow('There is no key max_token. Did you mean max_tokens?');
  await wrong('limit.memory_mb').toThrow('Did you mean limits.memory_mb?');
  await wrong('memory_mb').toThrow(
    'memory_mb is in several tables. Name one: limits.memory_mb, servers.memory_mb.',
  );
  await wrong('colour').toThrow('There is no key colour. docs/configuration.md lists all.');
});

it('every key can be explained', async () => {
  const config = sandbox({});
  for (const { key } of keyFacts()) {
    const told = await config('--explain', key);
    expect(told).toMatch(/^[\w.]+: [^\n]+\.\n\nType {7}[^\n]+\n/);
    expect(told).not.toMatch(/undefined|\[object/);
  }
});

it('lspan config --init writes a valid file that changes nothing, and replaces none', async () => {
  for (const words of [['--init'], ['--init', '--user']]) {
    const config = sandbox({});
    const before = JSON.parse(await config('--json'));
    const [, file = ''] = /^Wrote (\S+), /.exec(await config(...words)) ?? [];
    expect(file).toBe(words.length === 1 ? '/…/project/lspan.toml' : '/…/home/lspan/config.toml');
    const after = JSON.parse(await config('--json'));
    expect({ ...after, user_file: null }).toEqual(before);
    expect(after.warnings).toEqual([]);
    await expect(config(...words)).rejects.toThrow('exists already: nothing was written.');
  }
  const config = sandbox({ user: userFile, repository: repositoryFile });
  await expect(config('--init')).rejects.toThrow('lspan.toml exists already');
  await expect(config('--init', '--user')).rejects.toThrow('config.toml exists already');
});

it('a key of the file that --init writes keeps its default when its mark is removed', () => {
  const open = (text: string) => text.replace(/^# (\[\[servers\]\]|\w+ = .*)$/gm, '$1');
  const { servers, serve, limits, index, ...others } = userSchema.parse(parse(open(starterFile('user'))));
  const all = keyFacts();
  const defaultsOf = (table: string | undefined) =>
    Object.fromEntries(
      all.filter((one) => one.table === table).map(({ name, defaultValue }) => [name, defaultValue]),
    );
  const { servers: _, serve: __, limits: ___, index: ____, ...plain } = defaultsOf(undefined);
  expect(others).toEqual(plain);
  expect(limits).toEqual(defaultsOf('limits'));
  expect(index).toEqual(defaultsOf('index'));
  // No value means all revisions.
  expect(serve).toEqual({ ...defaultsOf('serve'), protocol: '2025-11-25' });
  expect(Object.keys(servers?.[0] ?? {}).sort()).toEqual(Object.keys(defaultsOf('servers')).sort());
  const inert = repositorySchema.parse(parse(open(starterFile('repository'))));
  expect(Object.keys(inert)).toEqual(Object.keys(repositorySchema.shape));
});

it.each([
  ['--init --schema', 'Use one of --init, --explain and --schema.'],
  ['--user', '--user goes with --init.'],
  ['--init --json', 'Use --init alone'],
])('lspan config %s is refused', async (words, why) => {
  await expect(sandbox({})(...words.split(' '))).rejects.toThrow(why);
});
