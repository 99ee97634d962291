import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverEnvironment } from '../../../../src/backends/lsp/process/server-environment.ts';

describe.skipIf(process.platform === 'win32')('the environment of a server', () => {
  let base: string;
  let root: string;

  beforeAll(() => {
    base = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-environment-')));
    root = path.join(base, 'work');
    for (const folder of ['work/bin', 'work/.venv', 'bin', 'go'])
      mkdirSync(path.join(base, folder), { recursive: true });
    symlinkSync(path.join(root, 'bin'), path.join(base, 'link'));
  });

  afterAll(() => rmSync(base, { recursive: true, force: true }));

  it('INF-03 holds what a toolchain needs', () => {
    const needed = {
      HOME: '/home/u',
      LANG: 'de_DE.UTF-8',
      LC_ALL: 'C',
      TMPDIR: '/tmp',
      XDG_CACHE_HOME: '/c',
      TZ: 'UTC',
    };
    const toolchain = { GOPATH: path.join(base, 'go'), CARGO_HOME: '/home/u/.cargo', JAVA_HOME: '/opt/java' };
    expect(serverEnvironment({ ...needed, ...toolchain }, [root])).toEqual({
      ...needed,
      ...toolchain,
      TERM: 'dumb',
      NO_COLOR: '1',
    });
  });

  it.each([
    ...['GITHUB_TOKEN', 'OPENAI_API_KEY', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE', 'ANTHROPIC_API_KEY'],
    ...[
      'ANTHROPIC_BASE_URL',
      'NODE_OPTIONS',
      'NODE_PATH',
      'LD_PRELOAD',
      'LD_LIBRARY_PATH',
      'DYLD_INSERT_LIBRARIES',
    ],
    ...[
      'BASH_ENV',
      'ENV',
      'PYTHONSTARTUP',
      'PYTHONPATH',
      'GOFLAGS',
      'RUSTC_WRAPPER',
      'SSH_AUTH_SOCK',
      'HTTPS_PROXY',
    ],
    ...['XDG_SESSION_TOKEN', 'LC_SECRET', 'CLAUDE_PROJECT_DIR', 'npm_config_registry'],
  ])('INF-03 never holds %s', (name) => {
    expect(serverEnvironment({ [name]: 'value' }, [root])).not.toHaveProperty(name);
  });

  it('INF-03 has a PATH without relative, empty, missing and workspace entries', () => {
    const entries = [
      '',
      '.',
      'bin',
      path.join(root, 'bin'),
      path.join(base, 'link'),
      path.join(base, 'bin'),
      '/none',
    ];
    expect(serverEnvironment({ PATH: entries.join(':') }, [root]).PATH).toBe(path.join(base, 'bin'));
  });

  it('names no toolchain that lies in the workspace', () => {
    const ours = { GOROOT: root, JAVA_HOME: path.join(base, 'link'), VIRTUAL_ENV: path.join(root, '.venv') };
    expect(Object.keys(serverEnvironment(ours, [root]))).toEqual(['TERM', 'NO_COLOR']);
  });

  it('takes what the definition or the user sets as it is', () => {
    const own = { NODE_OPTIONS: '--max-old-space-size=4096', TERM: 'xterm', GOFLAGS: '' };
    expect(serverEnvironment({ GOFLAGS: '-toolexec=x' }, [root], own)).toEqual({ ...own, NO_COLOR: '1' });
  });
});
