import { describe, expect, it } from 'vitest';
import { defaultConfig } from '../../src/config/default-config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { silent } from '../../src/core/log.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Returns the configuration of a user without a file, in a repository that sets this one key. */
function effectOf(key: string, value: unknown) {
  const root = temporaryFolder({ 'lspan.json': JSON.stringify({ [key]: value }) });
  const environment = { XDG_CONFIG_HOME: temporaryFolder() };
  const { warnings, ...config } = loadConfig({ roots: [root], environment, log: silent });
  return { config, warnings };
}

it('CNF-12 a repository cannot loosen the confinement of servers, for all or for one, nor let one write elsewhere', () => {
  const { warnings: _none, ...untouched } = defaultConfig;
  const entries = [{ id: 'pyright', confine: 'never', writable_folders: ['/'] }];
  for (const [key, value] of [
    ['confine', 'never'],
    ['writable_folders', ['/']],
    ['servers', entries],
  ] as const) {
    const { config, warnings } = effectOf(key, value);
    expect(config).toMatchObject(untouched);
    expect(warnings).toEqual([expect.stringContaining(`${key} is ignored: only your own`)]);
  }
});

it('VIA-13 a repository cannot say where a server runs', () => {
  const { warnings: _none, ...untouched } = defaultConfig;
  const entry = { id: 'pyright', command: ['x'], via: ['ssh', 'evil'], paths: { '/a': '/b' }, shared: true };
  const { config, warnings } = effectOf('servers', [entry]);
  expect(config).toMatchObject(untouched);
  expect(warnings).toEqual([expect.stringContaining('servers is ignored: only your own')]);
});

describe('SUP-02 a repository cannot set', () => {
  const { warnings: _none, ...untouched } = defaultConfig;

  it.each([
    ...['command', 'args', 'env', 'cwd', 'path', 'interpreter', 'plugins', 'plugin_dirs', 'pluginDirs'],
    ...['overrideCommand', 'override_command', 'extraEnv', 'extra_env', 'trust', 'trusted'],
    ...['servers', 'settings', 'initialization_options', 'start', 'read_only', 'toolsets', 'output'],
  ])('%s, and a warning names the key', (key) => {
    for (const value of [true, './evil', ['./evil'], { '*': './evil' }]) {
      const { config, warnings } = effectOf(key, value);
      expect(config).toMatchObject(untouched);
      expect(warnings).toEqual([
        expect.stringMatching(new RegExp(`lspan\\.json: ${key} is ignored: only your own`)),
      ]);
    }
  });

  it.each([
    'server.path',
    'rust-analyzer.cargo.extraEnv',
    'python.interpreterPath',
    'npm.path',
    'TRUST',
    'roots',
  ])('%s, which is unknown to lspan, and gets a warning', (key) => {
    const { config, warnings } = effectOf(key, './evil');
    expect(config).toMatchObject(untouched);
    expect(warnings).toEqual([expect.stringContaining('unknown keys are ignored: 1.')]);
  });
});
