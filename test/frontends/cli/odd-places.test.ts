import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const bin = path.resolve(import.meta.dirname, '../../../dist/bin.js');

let folder = '';
let project = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'lspan-odd-places-'));
  project = path.join(folder, 'project');
  mkdirSync(project);
  writeFileSync(path.join(project, 'tsconfig.json'), '{}');
  writeFileSync(path.join(project, 'a.ts'), 'export const alpha = 1;\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Place {
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdout?: number;
}

function lspan(words: readonly string[], { environment = {}, stdout }: Place = {}) {
  const own = { XDG_CACHE_HOME: path.join(folder, 'cache'), XDG_STATE_HOME: path.join(folder, 'state') };
  return spawnSync(process.execPath, [bin, ...words], {
    env: { ...process.env, ...own, ...environment },
    stdio: ['ignore', stdout ?? 'pipe', 'pipe'],
    encoding: 'utf8',
  });
}

const find = (place: Place = {}) =>
  lspan(['call', 'find_references', '{"symbol_name":"alpha"}', '-w', project, '--no-daemon'], place);

describe('the command line', () => {
  it('answers where nothing can be kept', () => {
    const { status, stdout, stderr } = find({ environment: { XDG_CACHE_HOME: '/dev/null' } });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^1 reference in 1 file\n/);
  });

  it('says that its output could not be written', () => {
    const { status, stderr } = lspan(['tools', '--json'], { stdout: openSync('/dev/full', 'w') });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^lspan: The output could not be written: ENOSPC/);
  });

  it('works in a folder that is gone', () => {
    const gone = path.join(folder, 'gone');
    mkdirSync(gone);
    const { status, stdout } = spawnSync(
      'sh',
      ['-c', `rmdir ${gone} && exec ${process.execPath} ${bin} status`],
      {
        cwd: gone,
        env: { ...process.env, XDG_STATE_HOME: path.join(folder, 'state') },
        encoding: 'utf8',
      },
    );
    expect(stdout).toContain('No daemon is running');
    expect(status).toBe(0);
  });

  it('lists the clients where a folder of the PATH cannot be looked into', () => {
    const loop = path.join(folder, 'loop');
    symlinkSync('loop', loop);
    const environment = { PATH: `${loop}:${process.env.PATH}` };
    const { status, stdout } = lspan(['setup', '--list'], { environment });
    expect(status).toBe(0);
    expect(stdout).toContain('Claude Code');
  });
});
