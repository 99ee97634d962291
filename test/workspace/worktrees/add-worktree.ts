import path from 'node:path';
import { writeFiles } from '../sandbox.ts';

/** Makes a folder the first checkout of a repository, as `git init` does. */
export function initRepository(root: string, config = '[core]\n\tbare = false\n'): string {
  writeFiles(root, { '.git/HEAD': 'ref: refs/heads/main\n', '.git/config': config });
  return path.join(root, '.git');
}

/** Adds a worktree to a repository, as `git worktree add` does: two files that name each other. */
export function addWorktree(
  repository: string,
  root: string,
  files: Readonly<Record<string, string>> = {},
  { name = path.basename(root), relative = false } = {},
): void {
  const own = path.join(repository, 'worktrees', name);
  const git = path.join(root, '.git');
  const to = (from: string, target: string) => (relative ? path.relative(from, target) : target);
  writeFiles(own, { gitdir: `${to(own, git)}\n`, commondir: '../..\n', HEAD: `ref: refs/heads/${name}\n` });
  writeFiles(root, { '.git': `gitdir: ${to(root, own)}\n`, ...files });
}
