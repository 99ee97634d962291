import path from 'node:path';
import type { Change } from '../workspace.ts';
import { excludePath, ruleFile } from './repository-rules.ts';

/** The changes of one batch, at most one per path. */
export class ChangeSet {
  readonly #kinds = new Map<string, Change['kind']>();
  readonly #first = new Set<string>();

  add(path: string, kind: Change['kind'], isFirst = false): void {
    if (isFirst) this.#first.add(path);
    const before = this.#kinds.get(path);
    const merged = before === undefined ? kind : mergers[before][kind];
    if (merged === undefined) this.#kinds.delete(path);
    else this.#kinds.set(path, merged);
  }

  /** Returns the changes, sorted by path. */
  list(): Change[] {
    return [...this.#kinds]
      .map(([path, kind]): Change => ({ path, kind, ...(this.#first.has(path) && { isFirst: true }) }))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }
}

/** The sum of two changes to one path: the first by row, the second by column. */
const mergers: Record<Change['kind'], Record<Change['kind'], Change['kind'] | undefined>> = {
  created: { created: 'created', changed: 'created', deleted: undefined },
  changed: { created: 'changed', changed: 'changed', deleted: 'deleted' },
  deleted: { created: 'changed', changed: 'changed', deleted: 'deleted' },
};

/** True if `files` of a workspace may differ after these changes: files came or went, or others are ignored now. */
export function changesFiles(changes: readonly Change[]): boolean {
  return changes.some(({ kind, path: file }) => kind !== 'changed' || isRuleFile(file));
}

function isRuleFile(file: string): boolean {
  return path.basename(file) === ruleFile || file.endsWith(path.join(path.sep, excludePath));
}
