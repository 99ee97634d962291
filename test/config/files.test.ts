import { describe, expect, it, vi } from 'vitest';
import { FileRules } from '../../src/backends/lsp/routing/file-rules.ts';
import { defaultConfig } from '../../src/config/default-config.ts';
import { withKnownNames } from '../../src/config/schema/known-names.ts';
import { silent } from '../../src/core/log.ts';
import { expectError, openTestBridge, type TestBridge, type TestServer } from '../test-bridge.ts';

vi.mock('../../src/servers/index.ts', () => ({ servers: [] }));

const files = { 'a.txt': 'function alpha\n', 'old/b.txt': 'function beta\n', 'none/c.txt': 'x\n' };
const rules = [
  { glob: 'none/**', servers: [] },
  { glob: 'old/**', servers: ['second', 'first'] },
];
const group = 'words';
const pair = (more: TestServer = {}): Record<string, TestServer> => ({
  first: { group, rank: 2, ready: { kind: 'immediate' } },
  second: { group, rank: 1, ready: { kind: 'immediate' }, ...more },
});
const outline = (bridge: TestBridge, file_path: string) => bridge.call('get_document_symbols', { file_path });
const started = (bridge: TestBridge) => ['first', 'second'].filter((id) => bridge.pids(id).length > 0);

describe('the rules for files', () => {
  it('decide which server is asked about a file, whatever its rank', async () => {
    const bridge = await openTestBridge({ files, servers: pair(), config: { files: rules } });
    expect((await outline(bridge, 'old/b.txt')).isError).toBe(false);
    expect(started(bridge)).toEqual(['second']);
    expect((await outline(bridge, 'a.txt')).isError).toBe(false);
    expect(started(bridge)).toEqual(['first', 'second']);
  });

  it('can exclude a file from all servers, and the error says so', async () => {
    const bridge = await openTestBridge({ files, servers: pair(), config: { files: rules } });
    expectError(
      await outline(bridge, 'none/c.txt'),
      'not_supported',
      /configuration names no server for this file/,
      /\[files\]/,
    );
    expect(started(bridge)).toEqual([]);
  });

  it('are named in the error if none of their servers serves the file', async () => {
    const servers = { ...pair(), third: { extensions: ['md'] } };
    const unfit = [{ glob: '**', servers: ['third'] }];
    const bridge = await openTestBridge({ files, servers, config: { files: unfit } });
    expectError(
      await outline(bridge, 'a.txt'),
      'not_supported',
      /names third for this file, but it does not serve \.txt files/,
    );
  });

  it('fall back to the next server if the first is not installed', async () => {
    const servers = pair({ command: ['/nowhere/second'] });
    const bridge = await openTestBridge({ files, servers, config: { files: rules } });
    expect((await outline(bridge, 'old/b.txt')).isError).toBe(false);
    expect(started(bridge)).toEqual(['first']);
  });

  it('apply to questions about the whole workspace: every server of files that contain the name is asked', async () => {
    const bridge = await openTestBridge({ files, servers: pair(), config: { files: rules } });
    expect((await bridge.call('search_workspace_symbols', { query: 'function' })).isError).toBe(false);
    expect(started(bridge)).toEqual(['first', 'second']);
    const only = [{ glob: '**', servers: ['second'] }];
    const one = await openTestBridge({ files, servers: pair(), config: { files: only } });
    expect((await one.call('search_workspace_symbols', { query: 'function' })).isError).toBe(false);
    expect(started(one)).toEqual(['second']);
  });

  it('override `only_below` of a server', async () => {
    const servers = { first: { onlyBelow: ['nowhere.json'] } };
    const bridge = await openTestBridge({
      files,
      servers,
      config: { files: [{ glob: 'a.txt', servers: ['first'] }] },
    });
    expect((await outline(bridge, 'a.txt')).isError).toBe(false);
    expectError(await outline(bridge, 'old/b.txt'), 'not_supported', /No language server is known/);
  });
});

describe('a glob', () => {
  it.each([
    ['*.ts', 'deep/in/a.ts', true],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'other/src/a.ts', false],
    ['/src/**', 'src/deep/a.ts', true],
    ['src/**', 'src/.hidden/a.ts', true],
    ['{a,b}/**', 'b/c.ts', true],
  ])('%s for %s: %s', (glob, file, matches) => {
    const found = new FileRules([{ glob, servers: ['x'] }]).of(`/w/${file}`, '/w');
    expect(found).toEqual(matches ? ['x'] : undefined);
  });

  it('that matches first applies, also when asked again', () => {
    const both = new FileRules([
      { glob: 'a/**', servers: ['first'] },
      { glob: '**', servers: ['second'] },
    ]);
    for (const _ of [1, 2]) {
      expect(both.of('/w/a/b', '/w')).toEqual(['first']);
      expect(both.of('/w/b', '/w')).toEqual(['second']);
    }
  });
});

describe('unknown names', () => {
  const known = { servers: ['pyright', 'gopls'], tools: ['find_references'] };
  const source = (kind: 'user' | 'repository', ids: readonly string[]) =>
    ({ kind, name: `${kind} file /f`, keys: { disabled_servers: ids } }) as const;

  it('among disabled servers are a warning, which only counts those of a repository', () => {
    const sources = [
      source('user', ['pyrigth', 'mine', 'zzz', 'gopls']),
      source('repository', ['pyrigth', 'evil words']),
    ];
    const servers = [{ id: 'mine' }];
    const { warnings } = withKnownNames({ ...defaultConfig, servers, sources }, known, silent);
    expect(warnings).toEqual([
      'user file /f: disabled_servers: lspan knows no server pyrigth. Did you mean pyright?',
      'user file /f: disabled_servers: lspan knows no server zzz. Known: pyright, gopls, mine.',
      'repository file /f: disabled_servers: servers that lspan does not know: 2. Did you mean pyright?',
    ]);
  });

  it('in file rules and deadlines of tools are an error', () => {
    const checked = (more: object) =>
      withKnownNames({ ...defaultConfig, userFile: '/u', ...more }, known, silent);
    expect(() => checked({ files: [{ glob: 'a/**', servers: ['gopl'] }] })).toThrow(
      'The configuration /u cannot be used: files: "a/**" names the server gopl. Did you mean gopls?',
    );
    expect(() => checked({ deadlines: { find_reference: 1 } })).toThrow(
      'The configuration /u cannot be used: deadlines_s: there is no tool find_reference. Did you mean find_references?',
    );
    expect(
      checked({ files: [{ glob: 'a', servers: ['gopls'] }], deadlines: { find_references: 1 } }).warnings,
    ).toEqual([]);
  });
});
