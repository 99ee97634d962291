import { homedir } from 'node:os';
import path from 'node:path';
import { isPathWithin } from '../../platform/files/path-within.ts';
import { checkoutAt, worktreeAround } from './checkout.ts';
import { realPathOf } from './git-pointer.ts';

/**
 * Returns the top folder of the worktree, of the repository of a root, that contains a path by its spelling. A root that
 * is only a part of a checkout has none: its user did not name the whole. Never a folder that contains a root, the home
 * directory or a disk, since that would open far more than the user has named.
 */
export function siblingAround(
  roots: readonly string[],
  absolute: string,
  home: string = homedir(),
): string | undefined {
  const tooWide = [...roots, home === '' ? '' : (realPathOf(home) ?? path.resolve(home))].filter(Boolean);
  return roots
    .flatMap((root) => {
      const checkout = checkoutAt(root);
      return (checkout?.root === root && worktreeAround(checkout.repository, absolute)) || [];
    })
    .find((found) => path.dirname(found) !== found && !tooWide.some((inner) => isPathWithin(found, inner)));
}
