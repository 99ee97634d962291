import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { siblingAround } from '../../../src/workspace/worktrees/sibling-worktree.ts';
import { openSandbox, temporaryFolder } from '../sandbox.ts';
import { addWorktree, initRepository } from './add-worktree.ts';

/** A folder with a repository and a worktree of it. */
function makeFamily(names: { readonly main: string; readonly other: string }) {
  const folder = temporaryFolder();
  const [main, other] = [path.join(folder, names.main), path.join(folder, names.other)];
  addWorktree(initRepository(main), other, { 'a.ts': '', 'pack/p.ts': '' }, { name: 'other' });
  return { folder, main, other };
}

describe('BND-24 the worktree beside a root', () => {
  it('is found from either side by a path in it, and by no other', async () => {
    const { folder, main, other } = makeFamily({ main: 'main', other: 'other' });
    expect(siblingAround([main], path.join(other, 'pack/p.ts'))).toBe(other);
    expect(siblingAround([other], path.join(main, 'a.ts'))).toBe(main);
    expect(siblingAround([main], `${other}-2/a.ts`)).toBe(undefined);
    expect(siblingAround([main], path.join(folder, 'a.ts'))).toBe(undefined);
    expect(siblingAround([main], path.join(main, 'a.ts'))).toBe(undefined);
    const { workspace, refresh } = await openSandbox([main]);
    await refresh();
    expect(workspace.otherWorktree(path.join(other, 'a.ts'))).toBe(other);
  });

  it('is not served if it contains the workspace, the home directory or a whole disk', () => {
    const inner = makeFamily({ main: 'main', other: 'main/in/other' });
    expect(siblingAround([inner.other], path.join(inner.main, 'a.ts'))).toBe(undefined);
    const { main, other } = makeFamily({ main: 'main', other: 'other' });
    const file = path.join(other, 'a.ts');
    expect(siblingAround([main], file, other)).toBe(undefined);
    expect(siblingAround([main], file, path.join(other, 'home'))).toBe(undefined);
    expect(siblingAround([main], file, '')).toBe(other);
  });

  it('is not served to a workspace that is only a part of a checkout', () => {
    const { main, other } = makeFamily({ main: 'main', other: 'other' });
    expect(siblingAround([path.join(other, 'pack')], path.join(main, 'a.ts'))).toBe(undefined);
  });
});
