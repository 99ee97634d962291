import type { Change } from '../../../workspace/workspace.ts';

/** Changes not yet sent to a server, by path: a file that changes often between questions is one change. */
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

  /** Restores changes that could not be sent, before newer ones. */
  putBack(changes: readonly Change[]): void {
    this.add([...changes, ...this.take()]);
  }
}

/** Merges two changes of one file, for a server that was notified of neither. */
function joined(earlier: Change | undefined, later: Change): Change {
  if (earlier?.kind === 'created' && later.kind === 'changed') return earlier;
  // A file that was never on disk is new there.
  if (earlier?.unsaved) return later;
  if (earlier?.kind === 'deleted' && later.kind === 'created') return { path: later.path, kind: 'changed' };
  return later;
}
