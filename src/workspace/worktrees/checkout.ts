import { readdirSync } from 'node:fs';
import path from 'node:path';
import { limits } from '../../core/limits.ts';
import { isPathWithin } from '../../platform/files/path-within.ts';
import { attempt } from '../gate/attempt.ts';
import { statsOf } from '../gate/signature.ts';
import { readGitFile, readPointer, realPathOf } from './git-pointer.ts';

/** A checkout of a git repository: one of its worktrees. */
export interface Checkout {
  /** The real path of its top folder. */
  readonly root: string;
  /** The real path of the folder that all worktrees of the repository share: the `.git` of the first one. */
  readonly repository: string;
}

/**
 * Returns the checkout whose top folder this is. What git's files say is believed only if it is mutual: a `.git` file
 * leads into the `worktrees` of a repository, and `gitdir` there leads back. A `.git` that is a link proves nothing.
 */
export function checkoutAt(folder: string): Checkout | undefined {
  const root = realPathOf(folder);
  const git = root && statsOf(path.join(root, '.git'));
  if (root === undefined || !git) return undefined;
  if (!git.isDirectory()) return linkedCheckout(root);
  const repository = path.join(root, '.git');
  return isBare(repository) || !haveOneOwner([root, repository]) ? undefined : { root, repository };
}

/** Returns the nearest checkout that a folder is or lies in. */
export function checkoutAround(folder: string): Checkout | undefined {
  for (let at = folder; ; at = path.dirname(at)) {
    if (statsOf(path.join(at, '.git'))) return checkoutAt(at);
    if (at === path.dirname(at)) return undefined;
  }
}

/** True if the `.git` file of a folder says that it is a worktree of a repository or of one of its submodules. */
export function claimsToBelong(folder: string, repository: string): boolean {
  const own = ownFolder(folder);
  if (own === undefined) return false;
  const claimed = path.dirname(path.dirname(own));
  return claimed === repository || isPathWithin(path.join(repository, 'modules'), claimed);
}

/**
 * Returns the top folder of the worktree that contains a path by its spelling, the innermost if they are nested. Looks
 * at a worktree outside the repository's own folder only if the path lies in it.
 */
export function worktreeAround(repository: string, absolute: string): string | undefined {
  const first = path.basename(repository) === '.git' ? [path.dirname(repository)] : [];
  const linked = worktreeNames(repository).flatMap((name) => {
    const git = readPointer(path.join(repository, 'worktrees', name), 'gitdir');
    return git !== undefined && path.basename(git) === '.git' ? [path.dirname(git)] : [];
  });
  return [...first, ...linked]
    .filter((root) => isPathWithin(root, absolute))
    .sort((a, b) => b.length - a.length)
    .find((root) => {
      const checkout = checkoutAt(root);
      return checkout?.root === root && checkout.repository === repository;
    });
}

function linkedCheckout(root: string): Checkout | undefined {
  const claimed = ownFolder(root);
  const own = claimed && realPathOf(claimed);
  if (own === undefined || path.basename(path.dirname(own)) !== 'worktrees') return undefined;
  const back = readPointer(own, 'gitdir');
  const isMutual =
    back !== undefined && path.basename(back) === '.git' && realPathOf(path.dirname(back)) === root;
  const repository = path.dirname(path.dirname(own));
  return isMutual && haveOneOwner([root, own, repository]) ? { root, repository } : undefined;
}

/** Returns the folder that git keeps for a linked worktree, as its `.git` file names it. */
function ownFolder(root: string): string | undefined {
  const own = readPointer(root, '.git', 'gitdir: ');
  return own !== undefined && path.basename(path.dirname(own)) === 'worktrees' ? own : undefined;
}

function worktreeNames(repository: string): readonly string[] {
  const names = attempt(() => readdirSync(path.join(repository, 'worktrees')));
  return names.ok ? names.value.sort().slice(0, limits.worktrees.listed) : [];
}

/** A bare repository has no files of its own, though its worktrees may lie around it. */
function isBare(repository: string): boolean {
  const texts = ['config', 'config.worktree'].map((name) => readGitFile(repository, name) ?? '');
  const sections = texts.flatMap((text) => text.split(/^(?=[ \t]*\[)/m));
  return sections.some((section) => /^[ \t]*\[core\]/i.test(section) && bare.test(section));
}

const bare = /(?:^|\])[ \t]*bare[ \t]*(?:=[ \t]*(?:true|yes|on|1)\b|$)/im;

/** Nobody else's folder may say where this user's files are. Windows has no such owner, and all are alike. */
function haveOneOwner(folders: readonly string[]): boolean {
  const owners = folders.map((folder) => statsOf(folder)?.uid);
  return owners.every((owner) => owner !== undefined && owner === owners[0]);
}
