import { renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openSandbox, temporaryFolder } from './sandbox.ts';

it('the number of a listing stays the same until a file comes or goes', async () => {
  const folder = temporaryFolder({ 'a.py': 'a = 1\n', 'made.py': 'a = 1\n' });
  const { workspace, refresh } = await openSandbox([folder]);
  await refresh();
  let before = workspace.others().generation;
  const grows = async (change: () => void) => {
    change();
    await refresh();
    const now = workspace.others().generation;
    const isGreater = now > before;
    before = now;
    return isGreater;
  };
  const file = (name: string) => path.join(folder, name);
  expect(await grows(() => writeFileSync(file('a.py'), 'a = 2\n'))).toBe(false);
  expect(await grows(() => writeFileSync(file('b.py'), 'b = 1\n'))).toBe(true);
  expect(await grows(() => workspace.hold(file('b.py'), 'b = 2\n'))).toBe(false);
  expect(await grows(() => workspace.hold(file('b.py'), undefined))).toBe(false);
  expect(await grows(() => workspace.hold(file('c.py'), 'c = 1\n'))).toBe(true);
  expect(await grows(() => workspace.hold(file('c.py'), undefined))).toBe(true);
  expect(await grows(() => writeFileSync(file('.gitignore'), ''))).toBe(true);
  expect(await grows(() => writeFileSync(file('.gitignore'), 'made.py\n'))).toBe(true);
  expect(await grows(() => writeFileSync(file('made.py'), 'a = 3\n'))).toBe(false);
  expect(await grows(() => renameSync(file('b.py'), file('d.py')))).toBe(true);
  expect(await grows(() => unlinkSync(file('d.py')))).toBe(true);
});

it.skipIf(process.platform === 'win32')('a file that becomes a link is no longer listed', async () => {
  const folder = temporaryFolder({ 'a.py': 'a = 1\n', 'b.py': 'b = 1\n' });
  const { workspace, refresh } = await openSandbox([folder]);
  await refresh();
  const before = workspace.others().generation;
  unlinkSync(path.join(folder, 'a.py'));
  symlinkSync('b.py', path.join(folder, 'a.py'));
  await refresh();
  expect(workspace.others().generation).toBeGreaterThan(before);
  expect([...workspace.others().links]).toEqual([path.join(workspace.roots[0] ?? '', 'a.py')]);
});
