import type * as realFs from 'node:fs';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { letClockTick, openSandbox, temporaryFolder, writeFiles } from '../sandbox.ts';

/** What the tests set in place of the real bounds, and how many watches the kernel grants. */
const world = vi.hoisted(() => ({ files: 200_000, time: 10_000, watches: Number.POSITIVE_INFINITY }));

vi.mock('../../../src/core/limits.ts', async (original) => {
  const { limits } = await original<typeof import('../../../src/core/limits.ts')>();
  const scan = {
    ...limits.scan,
    get files() {
      return world.files;
    },
    get time() {
      return world.time;
    },
  };
  return { limits: { ...limits, scan } };
});

vi.mock('node:fs', async (original) => {
  const real = await original<typeof realFs>();
  const watch = (...args: unknown[]) => {
    if (world.watches-- <= 0) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    return Reflect.apply(real.watch, real, args);
  };
  return { ...real, watch };
});

beforeEach(() => {
  Object.assign(world, { files: 200_000, time: 10_000, watches: Number.POSITIVE_INFINITY });
});

describe('bounds', () => {
  test('folders for which the kernel has no watch left are compared, and raise no doubt', async () => {
    world.watches = 3;
    const root = temporaryFolder({ 'a/x.ts': '', 'b/x.ts': '', 'c/d/x.ts': '' });
    letClockTick();
    const { refresh } = await openSandbox([root]);
    await refresh();
    writeFiles(root, { 'a/x.ts': '1', 'b/x.ts': '1', 'c/d/x.ts': '1', 'c/d/e/y.ts': '' });
    expect(await refresh()).toEqual({
      changes: { 'a/x.ts': 'changed', 'b/x.ts': 'changed', 'c/d/x.ts': 'changed', 'c/d/e/y.ts': 'created' },
      doubts: [],
    });
  });

  test('if not even one watch is available, everything is compared', async () => {
    world.watches = 0;
    const root = temporaryFolder({ 'a/x.ts': '' });
    const { refresh } = await openSandbox([root]);
    await refresh();
    writeFiles(root, { 'a/y.ts': '' });
    expect(await refresh()).toMatchObject({ changes: { 'a/y.ts': 'created' }, doubts: [] });
  });

  test.each(['auto', 'scan'] as const)(
    'RES-05 as many files as the limit raise no doubt, one more raises a doubt, by %s',
    async (watch) => {
      world.files = 4;
      const root = temporaryFolder({ 'a.ts': '', 'd/b.ts': '' });
      const { refresh, files } = await openSandbox([root], { watch });
      expect((await refresh()).doubts).toEqual([]);
      writeFiles(root, { 'c.ts': '' });
      expect((await refresh()).doubts).toMatchObject([{ kind: 'watch_lost' }]);
      expect(files()).toHaveLength(2);
    },
  );

  test('a comparison that cannot finish raises a doubt, and goes on at the next barrier', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `d${index}/a.ts`);
    const root = temporaryFolder(Object.fromEntries(names.map((name) => [name, ''])));
    world.time = -1;
    const { refresh, files } = await openSandbox([root]);
    expect((await refresh()).doubts).toMatchObject([{ kind: 'watch_lost' }]);
    expect(files().length).toBeLessThan(20);
    world.time = 10_000;
    expect((await refresh()).doubts).toEqual([]);
    expect(files()).toHaveLength(20);
    writeFiles(root, { 'd7/a.ts': 'x' });
    expect((await refresh()).changes).toEqual({ 'd7/a.ts': 'changed' });
  });
});
