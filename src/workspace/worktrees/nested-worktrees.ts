import type { AllowedFolders } from '../gate/allowed-folders.ts';
import { checkoutAround, checkoutAt, claimsToBelong } from './checkout.ts';

/** A folder of the snapshot, as far as it matters here. */
interface ScannedFolder {
  readonly path: string;
  readonly parent: ScannedFolder | undefined;
}

/**
 * The worktrees of the same repository that lie in a root. Each is a copy of the root, so that every name would be there
 * twice: they are cut out, and served as roots of their own. Submodules and other clones stay part of the root: they are
 * no copies of it. So does everything in a root that is in no checkout, where a worktree may be all there is.
 */
export class NestedWorktrees<F extends ScannedFolder> {
  readonly #allowed: AllowedFolders;
  readonly #onChange: () => void;
  /** Folders that say they are such a worktree; true if the repository agrees. */
  readonly #claims = new Map<F, boolean>();

  /** @param onChange Called whenever other folders are cut out than before. */
  constructor(allowed: AllowedFolders, onChange: () => void) {
    this.#allowed = allowed;
    this.#onChange = onChange;
  }

  /** Returns whether a folder is cut out, from what is on the disk now. */
  isCutOut(folder: F, hasGit: boolean): boolean {
    const verdict = hasGit && folder.parent ? this.#judge(folder, repositoryOf(folder)) : undefined;
    if (verdict === undefined) this.#claims.delete(folder);
    else this.#claims.set(folder, verdict);
    this.#set(folder, verdict === true);
    return verdict === true;
  }

  /** Returns the folders that have become worktrees, or are none any more: nothing may have happened in them. */
  changed(): readonly F[] {
    const claims = [...this.#claims];
    return claims.flatMap(([folder, before]) => {
      const isWorktree = this.#judge(folder, repositoryOf(folder)) === true;
      return isWorktree === before ? [] : [folder];
    });
  }

  /** The folder is gone. */
  forget(folder: F): void {
    if (this.#claims.delete(folder)) this.#set(folder, false);
  }

  #judge(folder: F, repository: string | undefined): boolean | undefined {
    if (repository === undefined || !claimsToBelong(folder.path, repository)) return undefined;
    return checkoutAt(folder.path)?.root === folder.path;
  }

  #set(folder: F, isCutOut: boolean): void {
    const isNews = (this.#allowed.cutOutAround(folder.path) === folder.path) !== isCutOut;
    this.#allowed.setPart(folder.path, !isCutOut);
    if (isNews) this.#onChange();
  }
}

/** Returns the repository of the root that contains a folder. */
function repositoryOf(folder: ScannedFolder): string | undefined {
  let root = folder;
  while (root.parent) root = root.parent;
  return checkoutAround(root.path)?.repository;
}
