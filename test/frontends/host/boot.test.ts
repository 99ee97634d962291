import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { LspanError } from '../../../src/core/errors.ts';
import { resultOrError } from '../../../src/core/runtime/result.ts';
import { readBootstrap } from '../../../src/frontends/host/read-bootstrap.ts';
import { HostFixture, type HostSetting } from './start-host.ts';

const fixture = new HostFixture();
afterAll(() => fixture.close());

const given = (value: unknown) => JSON.stringify(value);

describe('LSP_BOOTSTRAP is refused with a line that names the fix, if it', () => {
  test.each([
    ['is empty', '', 'it is not JSON.'],
    ['is not JSON', '{"workspaceRoot": /tmp}', 'it is not JSON.'],
    ['is an array', '["/tmp"]', 'it is not an object.'],
    ['is null', 'null', 'it is not an object.'],
    ['has no root', '{}', 'workspaceRoot is missing.'],
    [
      'has a misspelt key',
      '{"workspaceroot": "/tmp"}',
      'no key "workspaceroot". Did you mean workspaceRoot?',
    ],
    ['has an unknown key', '{"workspaceRoot": "/tmp", "x": 1}', 'no key "x". Known: workspaceRoot, config.'],
    ['has a root that is not a string', '{"workspaceRoot": ["/tmp"]}', 'workspaceRoot must be a string.'],
    ['has a relative root', '{"workspaceRoot": "tmp"}', 'workspaceRoot must be an absolute path.'],
    ['has a URI for a root', '{"workspaceRoot": "file:///tmp"}', 'workspaceRoot must be an absolute path.'],
    ['has a list for config', '{"workspaceRoot": "/tmp", "config": []}', 'config must be an object.'],
    ['has null for config', '{"workspaceRoot": "/tmp", "config": null}', 'config must be an object.'],
    ['has a number for config', '{"workspaceRoot": "/tmp", "config": 1}', 'config must be an object.'],
  ])('%s', (_, text, told) => {
    const fault = resultOrError(() => readBootstrap(text));
    expect(fault).toBeInstanceOf(LspanError);
    if (!(fault instanceof LspanError)) return;
    expect(fault.message).toMatch(/^LSP_BOOTSTRAP cannot be used: .* Use \{"workspaceRoot": "[^\n]+$/);
    expect(fault.message).toContain(told);
  });
});

const faulty = path.join(fixture.folder, 'faulty.json');
writeFileSync(faulty, given({ servers: [{ id: 'a', command: [] }] }));
const { root, config, bootstrap } = fixture;
const [rooted, configured] = [{ workspaceRoot: root }, { workspaceRoot: root, config }];
const flagged = (...flags: readonly string[]): HostSetting => ({ bootstrap: undefined, flags });

/** How it is started, the exit code, and a part of the line. */
const faults: readonly (readonly [string, HostSetting, number, string])[] = [
  ['not JSON', { bootstrap: 'x' }, 1, 'LSP_BOOTSTRAP cannot be used: it is not JSON.'],
  [
    'a root that is not there',
    { bootstrap: given({ workspaceRoot: '/not/there' }) },
    1,
    '/not/there does not exist',
  ],
  ['a root with a zero byte', { bootstrap: given({ workspaceRoot: '/a\u0000b' }) }, 1, 'does not exist'],
  ['a root that is a file', { bootstrap: given({ workspaceRoot: faulty }) }, 1, 'is not a folder'],
  [
    'a configuration with an unknown key',
    { bootstrap: given({ ...rooted, config: { server: [] } }) },
    1,
    'The configuration LSP_BOOTSTRAP cannot be used: ',
  ],
  [
    'a server without a program',
    { bootstrap: given({ ...rooted, config: { servers: [{ id: 'a', command: [] }] } }) },
    1,
    'servers[0].command',
  ],
  [
    'a toolset that the surface does not have',
    { bootstrap: given({ ...rooted, config: { toolsets: ['nonsense'] } }) },
    1,
    'Unknown toolset nonsense.',
  ],
  [
    'the variable and --workspace',
    { bootstrap, flags: ['--workspace', root] },
    1,
    '--workspace and LSP_BOOTSTRAP are both given',
  ],
  [
    'the variable and --config',
    { bootstrap, flags: ['--config', faulty] },
    1,
    '--config and LSP_BOOTSTRAP are both given',
  ],
  ['--config with a faulty file', flagged('--workspace', root, '--config', faulty), 1, 'servers[0].command'],
  ['--workspace that does not exist', flagged('--workspace', '/not/there'), 1, '/not/there does not exist'],
  [
    'no workspace at all',
    { ...flagged(), cwd: '/' },
    1,
    'No workspace is known. Give --workspace DIR or LSP_BOOTSTRAP',
  ],
  [
    'neither channel',
    { flags: ['--no-mcp', '--no-rpc'] },
    2,
    '--no-mcp and --no-rpc leave nothing to serve.',
  ],
  ['an unknown surface', { flags: ['--surface', 'llxpt'] }, 2, 'Did you mean llxprt?'],
  ['an unknown flag', { flags: ['--port', '1'] }, 2, 'Unknown flag --port.'],
];

test.each(faults)('lspan host ends with one line and an exit code: %s', async (_, setting, code, told) => {
  const refused = await fixture.refused(setting);
  expect(refused.log).toEqual([expect.stringContaining(told)]);
  expect(refused.log[0]).toMatch(/^lspan: /);
  expect([refused.code, refused.stdout]).toEqual([code, '']);
});

test('descriptors are checked before the variable', async () => {
  const { code, log } = await fixture.refused({ bootstrap: 'x', beyond: [] });
  expect([code, log]).toEqual([1, [expect.stringContaining('Descriptor 3 is not open')]]);
});

test('flags work like the variable, and the user file is read if neither has a configuration', async () => {
  const file = path.join(fixture.folder, 'config.json');
  writeFileSync(file, given(config));
  mkdirSync(path.join(fixture.folder, '.config/lspan'), { recursive: true });
  writeFileSync(path.join(fixture.folder, '.config/lspan/config.json'), given(config));
  const starts = [
    flagged('-w', root, '--config', file),
    { bootstrap: given(rooted) },
    { bootstrap: given(configured) },
  ];
  for (const start of starts) {
    const host = fixture.start({ ...start, flags: [...(start.flags ?? []), '--no-mcp'], beyond: [] });
    expect((await host.ready).params).toMatchObject({ workspaceRoots: [root] });
    expect((await host.ask('lsp/checkFile', { filePath: 'a.txt' })).result).toBeInstanceOf(Array);
    expect(await host.ask('lsp/shutdown')).toMatchObject({ result: null });
    expect(await host.exit).toEqual({ code: 0, signal: null });
  }
});

test('with `navigationTools: false` RPC is served alone, without the descriptors of MCP or beside them', async () => {
  const bootstrapWithout = given({ ...rooted, config: { ...config, navigationTools: false } });
  for (const beyond of [[], ['pipe', 'pipe'] as const]) {
    const host = fixture.start({ bootstrap: bootstrapWithout, beyond });
    expect((await host.ready).params).toMatchObject({ workspaceRoots: [root] });
    if (beyond.length > 0) host.tell({ id: 1, method: 'tools/list' });
    expect((await host.ask('lsp/checkFile', { filePath: 'a.txt' })).result).toBeInstanceOf(Array);
    expect(await host.ask('lsp/shutdown')).toMatchObject({ result: null });
    expect(await host.exit).toEqual({ code: 0, signal: null });
    expect(host.mcp.all).toEqual([]);
  }
});

test('with `navigationTools` that is not true or false it does not start', async () => {
  const refused = await fixture.refused({
    bootstrap: given({ ...rooted, config: { navigationTools: 'no' } }),
  });
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.log.join('\n')).toContain('config.navigationTools must be true or false.');
});
