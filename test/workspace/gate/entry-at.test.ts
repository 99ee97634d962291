import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openSandbox, temporaryFolder } from '../sandbox.ts';

async function open() {
  const root = temporaryFolder({ 'a.txt': 'a', 'folder/b.txt': 'b' });
  const outside = temporaryFolder({ 'c.txt': 'c' });
  symlinkSync('a.txt', path.join(root, 'link'));
  symlinkSync('folder', path.join(root, 'way'));
  symlinkSync(outside, path.join(root, 'out'));
  const { workspace } = await openSandbox([root]);
  return { root, outside, workspace };
}

it('returns the kind of entry at a path, and does not follow a link at its end', async () => {
  const { root, workspace } = await open();
  const kinds = ['a.txt', 'folder', 'folder/', 'link', 'out', 'new.txt', 'new/deep.txt', '.'].map(
    (given) => workspace.entry(given).kind,
  );
  expect(kinds).toEqual(['file', 'folder', 'folder', 'link', 'link', 'missing', 'missing', 'folder']);
  expect(workspace.entry('way/b.txt')).toEqual({ path: path.join(root, 'folder/b.txt'), kind: 'file' });
  expect(workspace.entry('way/new.txt').path).toBe(path.join(root, 'folder/new.txt'));
});

it('BND-07: does not look beyond a link that leads outside, whether its target exists or not', async () => {
  const { workspace, outside } = await open();
  for (const given of ['out/c.txt', 'out/new.txt', 'out/new/deep.txt', '../x', outside, `${outside}/c.txt`])
    expect(() => workspace.entry(given)).toThrow(/is not inside the workspace/);
  expect(() => workspace.entry('a\0b')).toThrow(/NUL/);
});

it('a path is looked for in every root; a missing one belongs to the first', async () => {
  const [one, two] = [temporaryFolder({}), temporaryFolder({ 'x.txt': 'x' })];
  mkdirSync(path.join(one, 'only'));
  const { workspace } = await openSandbox([one, two]);
  expect(workspace.entry('x.txt')).toEqual({ path: path.join(two, 'x.txt'), kind: 'file' });
  expect(workspace.entry('y.txt')).toEqual({ path: path.join(one, 'y.txt'), kind: 'missing' });
});
