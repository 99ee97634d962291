import type { Change } from '../../../workspace/workspace.ts';

/** Changes that a server has not heard of; by path, so that a file that changes often while nobody asks is one change. */
export class PendingChanges {
  readonly #changes = new Map<string, Change>();

  get isEmpty(): boolean {
    return this.#changes.size === 0;
  }

  add(changes: readonly Change[]): void {
    for (const change of changes)
      this.#changes.set(change.path, joined(this.#changes.get(change.path), change));
  }

  take(): readonly Change[] {
    const taken = [...this.#changes.values()];
    this.#changes.clear();
    return taken;
  }

  /** Keeps what could not be told after all, before what came since. */
  putBack(changes: readonly Change[]): void {
    this.add([...changes, ...this.take()]);
  }
}

/** Two changes of one file as one, for a server that has heard of neither. */
function joined(earlier: Change | undefined, later: Change): Change {
  if (earlier?.kind === 'created' && later.kind === 'changed') return earlier;
  // What was never on the disk is new there.
  if (earlier?.unsaved) return later;
  if (earlier?.kind === 'deleted' && later.kind === 'created') return { path: later.path, kind: 'changed' };
  return later;
}
