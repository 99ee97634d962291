import path from 'node:path';
import { limits } from '../../core/limits.ts';
import { type Checkout, checkoutAround } from './checkout.ts';
import { readGitFile, readPointer } from './git-pointer.ts';

/** The repository that a folder is of, as git's files name it. */
export interface RepositoryFacts {
  /** The top folder of the checkout. */
  readonly root: string;
  /** `host/owner/name` of its origin; without one, the name of its folder. */
  readonly name: string;
  /** The commit that is checked out; `undefined` if there is none yet. */
  readonly commit: string | undefined;
}

/** Reads which repository and commit a folder is of; `undefined` if it is in no checkout. Starts no git process. */
export function repositoryAround(folder: string): RepositoryFacts | undefined {
  const checkout = checkoutAround(folder);
  if (!checkout) return undefined;
  const name = originOf(checkout) ?? path.basename(checkout.root);
  return { root: checkout.root, name, commit: headOf(checkout) };
}

function originOf({ repository }: Checkout): string | undefined {
  const sections = (readGitFile(repository, 'config') ?? '').split(/^(?=[ \t]*\[)/m);
  const origin = sections.find((section) => /^[ \t]*\[remote "origin"\]/.test(section));
  const url = /^[ \t]*url[ \t]*=[ \t]*(.+?)[ \t]*$/m.exec(origin ?? '')?.[1];
  return url === undefined ? undefined : repositoryName(url);
}

/** Returns `host/owner/name` of an address of a repository, without credentials; `undefined` for a local path. */
export function repositoryName(url: string): string | undefined {
  const [, host, rest] =
    /^[a-z+]+:\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/+(.+)$/i.exec(url) ??
    /^(?:[^@/]+@)?([\w.-]+):(?!\/)(.+)$/.exec(url) ??
    [];
  if (host === undefined || rest === undefined || host.length === 1) return undefined;
  const name = `${host.toLowerCase()}/${rest.replace(/\/+$/, '').replace(/\.git$/, '')}`;
  return name.length <= limits.path.length && /^[\w./~+-]+$/.test(name) ? name : undefined;
}

/** `HEAD` of a linked worktree is in a folder of its own; branches are in the folder that all worktrees share. */
function headOf({ root, repository }: Checkout): string | undefined {
  const own = readPointer(root, '.git', 'gitdir: ') ?? repository;
  const head = readGitFile(own, 'HEAD')?.trim();
  const branch = /^ref: (refs\/[^\0\r\n]+)$/.exec(head ?? '')?.[1];
  if (branch === undefined) return commitIn(head);
  if (branch.split('/').includes('..')) return undefined;
  const loose = readGitFile(path.join(repository, path.dirname(branch)), path.basename(branch));
  return commitIn(loose?.trim()) ?? packedCommit(repository, branch);
}

function packedCommit(repository: string, branch: string): string | undefined {
  const lines = readGitFile(repository, 'packed-refs', limits.index.packedRefs)?.split('\n') ?? [];
  return commitIn(lines.find((line) => line.endsWith(` ${branch}`))?.split(' ')[0]);
}

function commitIn(text: string | undefined): string | undefined {
  return text !== undefined && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text) ? text : undefined;
}
