import path from 'node:path';
import { isPathWithin } from '../../platform/files/path-within.ts';
import type { AllowedFolders } from '../gate/allowed-folders.ts';
import { isUnsettled, signatureOf, statsOf } from '../gate/signature.ts';
import { checkoutAround, claimedWorktrees, isWorktreeOf, submodulesOf } from './checkout.ts';

/**
 * The worktrees of the same repository that lie in a root, ignored or not. Each is a copy of the root, so that every name
 * would be there twice: they are cut out, and served as roots of their own. Submodules and other clones stay part of the
 * root: they are no copies of it. So does everything in a root that is in no checkout, where a worktree may be all there is.
 */
export class NestedWorktrees {
  readonly #allowed: AllowedFolders;
  readonly #onChange: () => void;
  #present: ReadonlySet<string> = new Set();
  /** The files and folders that decided, and their state then; `undefined` if that may have changed unseen. */
  #decidedBy: readonly string[] = [];
  #signature: string | undefined;

  /** @param onChange Called whenever other folders are cut out than before. */
  constructor(allowed: AllowedFolders, onChange: () => void) {
    this.#allowed = allowed;
    this.#onChange = onChange;
  }

  /** Looks at the disk; returns the folders that have become such worktrees, or are none any more. */
  update(): readonly string[] {
    if (this.#signature !== undefined && stateOf(this.#decidedBy) === this.#signature) return [];
    const before = this.#present;
    const looked = this.#allowed.roots.map((root) => worktreesIn(root));
    this.#decidedBy = looked.flatMap(({ decidedBy }) => decidedBy);
    // Taken last: a change meanwhile is found by the next look at the latest.
    this.#signature = stateOf(this.#decidedBy);
    const isRoot = (folder: string) => this.#allowed.roots.includes(folder);
    this.#present = new Set(looked.flatMap(({ worktrees }) => worktrees).filter((one) => !isRoot(one)));
    const changed = [...before, ...this.#present].filter((one) => before.has(one) !== this.#present.has(one));
    if (changed.length === 0) return [];
    this.#allowed.cutOut(this.#present);
    this.#onChange();
    return changed;
  }
}

interface Looked {
  readonly worktrees: readonly string[];
  readonly decidedBy: readonly string[];
}

function worktreesIn(root: string): Looked {
  const checkout = checkoutAround(root);
  if (!checkout) return { worktrees: [], decidedBy: [path.join(root, '.git')] };
  const repositories = [checkout.repository, ...submodulesOf(checkout.repository)];
  const claims = repositories.flatMap((repository) =>
    claimedWorktrees(repository).flatMap((claim) =>
      claim.root !== root && isPathWithin(root, claim.root) ? [{ ...claim, repository }] : [],
    ),
  );
  return {
    worktrees: claims.filter((one) => isWorktreeOf(one.repository, one.root)).map((one) => one.root),
    decidedBy: [
      path.join(checkout.root, '.git'),
      path.join(checkout.repository, 'config'),
      path.join(checkout.repository, 'modules'),
      ...repositories.map((repository) => path.join(repository, 'worktrees')),
      ...claims.flatMap((one) => [one.namedBy, path.join(one.root, '.git')]),
    ],
  };
}

/** Identifies the state of some entries; `undefined` if one more change could leave the same. */
function stateOf(entries: readonly string[]): string | undefined {
  const states = entries.map((entry) => {
    const stats = statsOf(entry);
    if (!stats) return 'none';
    return isUnsettled(stats) ? undefined : signatureOf(stats);
  });
  return states.includes(undefined) ? undefined : states.join();
}
