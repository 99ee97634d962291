import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
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

/**
 * Returns the top folders of the checkouts that roots lie in: what is beside a root there is of the same repository. A
 * checkout that contains the home folder, as that of somebody's settings does, is none of a project.
 */
export function checkoutsAround(roots: readonly string[], home: string = homedir()): readonly string[] {
  const own = realPathOf(home) ?? home;
  const found = roots.flatMap((root) => checkoutAround(root)?.root ?? []);
  return [...new Set(found)].filter((folder) => !isPathWithin(folder, own));
}

/** A worktree as its repository names it: nothing there was looked at. */
export interface ClaimedWorktree {
  readonly root: string;
  /** The file of the repository that names it. */
  readonly namedBy: string;
}

/** Returns the linked worktrees that a repository names. */
export function claimedWorktrees(repository: string): readonly ClaimedWorktree[] {
  return namesIn(path.join(repository, 'worktrees')).flatMap((name) => {
    const own = path.join(repository, 'worktrees', name);
    const git = readPointer(own, 'gitdir');
    const isOne = git !== undefined && path.basename(git) === '.git';
    return isOne ? [{ root: path.dirname(git), namedBy: path.join(own, 'gitdir') }] : [];
  });
}

/** Returns the repositories of the submodules of a repository, whose names may contain slashes. */
export function submodulesOf(repository: string): readonly string[] {
  const found: string[] = [];
  const folders = [path.join(repository, 'modules')];
  for (let looked = 0; folders.length > 0 && looked < limits.worktrees.listed; looked++) {
    const folder = folders.shift() ?? '';
    const names = namesIn(folder);
    if (names.includes('HEAD')) found.push(folder);
    if (names.includes('HEAD')) folders.push(path.join(folder, 'modules'));
    else folders.push(...names.map((name) => path.join(folder, name)));
  }
  return found;
}

/**
 * Returns the top folder of the worktree that contains a path by its spelling, the innermost if they are nested. Looks
 * at a worktree outside the repository's own folder only if the path lies in it.
 */
export function worktreeAround(repository: string, absolute: string): string | undefined {
  const first = path.basename(repository) === '.git' ? [path.dirname(repository)] : [];
  return [...first, ...claimedWorktrees(repository).map(({ root }) => root)]
    .filter((root) => isPathWithin(root, absolute))
    .sort((a, b) => b.length - a.length)
    .find((root) => isWorktreeOf(repository, root));
}

/** True if a folder, by its real path, is the top folder of a worktree of a repository. */
export function isWorktreeOf(repository: string, folder: string): boolean {
  const checkout = checkoutAt(folder);
  return checkout?.root === folder && checkout.repository === repository;
}

/** True if two folders are top folders of worktrees of one repository. */
export function isSameRepository(one: string, other: string): boolean {
  const checkout = checkoutAt(one);
  return checkout?.root === one && isWorktreeOf(checkout.repository, other);
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

function namesIn(folder: string): readonly string[] {
  const names = attempt(() => readdirSync(folder));
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
