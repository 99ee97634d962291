import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { RunFolder } from '../../../src/platform/files/run-folder.ts';
import { unlessSkipped } from '../../missing-programs.ts';
import { temporaryFolder } from '../../test-bridge.ts';

describe('the folder of a run', () => {
  it('INF-10 has a private folder for each server, whose path leaves room for the name of a socket', () => {
    const run = new RunFolder(temporaryFolder('l-'));
    expect(run.path).toBeUndefined();
    const [one, other] = [run.forServer(), run.forServer()];
    expect(one.path).toBe(one.path);
    expect(one.path).not.toBe(other.path);
    expect([one.path, other.path].map(path.dirname)).toEqual([run.path, run.path]);
    expect([run.path ?? '', one.path].map((folder) => statSync(folder).mode & 0o777)).toEqual([0o700, 0o700]);
    expect(path.relative(path.dirname(run.path ?? ''), one.path).length).toBeLessThanOrEqual(42);
  });

  it('BND-22 is removed with links, but not with their targets outside', async () => {
    const outside = temporaryFolder('lspan-outside-');
    writeFileSync(path.join(outside, 'kept.txt'), 'kept');
    const run = new RunFolder(temporaryFolder('l-'));
    const servers = [run.forServer(), run.forServer()];
    for (const { path: folder } of servers) {
      mkdirSync(path.join(folder, 'deep'));
      symlinkSync(outside, path.join(folder, 'deep', 'folder'));
      symlinkSync(path.join(outside, 'kept.txt'), path.join(folder, 'file'));
    }
    servers[0]?.remove();
    expect(servers.map((each) => existsSync(each.path))).toEqual([false, true]);
    await run.remove();
    expect(existsSync(run.path ?? '')).toBe(false);
    expect(readFileSync(path.join(outside, 'kept.txt'), 'utf8')).toBe('kept');
  });

  it('is made again after a cleaner has removed it', () => {
    const run = new RunFolder(temporaryFolder('l-'));
    const first = run.forServer().path;
    rmSync(run.path ?? '', { recursive: true });
    const second = run.forServer().path;
    expect([existsSync(first), existsSync(second)]).toEqual([false, true]);
  });
});

describe.skipIf(process.platform !== 'linux')('a run that was killed together with its watchdog', () => {
  it('leaves a folder, which the next run removes', async () => {
    const place = temporaryFolder('l-');
    const { left } = await pastRun(place);
    writeFileSync(path.join(left, 'preamble'), '');
    await sweep(place);
    expect(readdirSync(place)).toEqual([]);
  });

  it('is recognised although another process has its number now', async () => {
    const place = temporaryFolder('l-');
    const { name } = await pastRun(place);
    const [lspan, , , ...rest] = name.split('-');
    const reused = [lspan, process.pid.toString(36), '1', ...rest].join('-');
    renameSync(path.join(place, name), path.join(place, reused));
    await sweep(place);
    expect(readdirSync(place)).toEqual([]);
  });

  it.each<[string, (parts: readonly string[]) => readonly string[]]>([
    [
      'in another container, whose processes cannot be seen',
      ([l = '', pid = '', start = '', , end = '']) => [l, pid, start, 'zz', end],
    ],
    ['whose name is not one of ours', (parts) => [...parts, 'old']],
  ])('is not assumed of one %s', async (_whose, rename) => {
    const place = temporaryFolder('l-');
    const { name } = await pastRun(place);
    const other = rename(name.split('-')).join('-');
    renameSync(path.join(place, name), path.join(place, other));
    await sweep(place);
    expect(readdirSync(place)).toEqual([other]);
  });

  it('is not assumed of a living one', async () => {
    const place = temporaryFolder('l-');
    const living = new RunFolder(place);
    const { path: folder } = living.forServer();
    await sweep(place);
    expect(existsSync(folder)).toBe(true);
  });

  it('cannot be feigned by a link', async () => {
    const place = temporaryFolder('l-');
    const outside = temporaryFolder('lspan-outside-');
    writeFileSync(path.join(outside, 'kept.txt'), 'kept');
    const { name, left } = await pastRun(place);
    rmSync(left, { recursive: true });
    symlinkSync(outside, left);
    await sweep(place);
    expect(readdirSync(place)).toEqual([name]);
    expect(readdirSync(outside)).toEqual(['kept.txt']);
  });

  const powerless = process.getuid?.() === 0 ? '' : 'only root can give a folder to another user';
  const keeps = unlessSkipped(powerless, 'keeps its folder if that belongs to another user');
  it.skipIf(powerless !== '')(keeps, async () => {
    const place = temporaryFolder('l-');
    const { name, left } = await pastRun(place);
    chownSync(left, 65_534, 65_534);
    await sweep(place);
    expect(readdirSync(place)).toEqual([name]);
  });
});

/** Starts a run in a place, and ends it. */
async function sweep(place: string): Promise<void> {
  const run = new RunFolder(place);
  expect(existsSync(run.forServer().path)).toBe(true);
  await run.remove();
}

/** Makes the folder of a run whose process has ended. */
async function pastRun(place: string): Promise<{ readonly name: string; readonly left: string }> {
  const run = new RunFolder(place);
  run.forServer().path;
  const name = path.basename(run.path ?? '');
  const child = spawn('/bin/true');
  await once(child, 'exit');
  const [lspan, , ...rest] = name.split('-');
  const ended = [lspan, child.pid?.toString(36), ...rest].join('-');
  renameSync(path.join(place, name), path.join(place, ended));
  return { name: ended, left: path.join(place, ended) };
}
