import { diffArrays } from 'diff';
import { limits } from '../../core/limits.ts';

/** Lines that are replaced by others; counted from 0. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
}

/**
 * Returns where two lists of lines differ. Lists that have little in common are one hunk from the first difference to
 * the last, since a closer search would take time that grows with the square of the differences.
 */
export function lineHunks(before: readonly string[], after: readonly string[]): Hunk[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const old = before.slice(head, before.length - tail);
  const now = after.slice(head, after.length - tail);
  if (old.length === 0 && now.length === 0) return [];
  const whole = { oldStart: head, oldCount: old.length, newStart: head, newCount: now.length };
  if (old.length === 0 || now.length === 0) return [whole];
  const inPlace = changedInPlace(old, now, head);
  if (inPlace) return inPlace;
  const changes = diffArrays(old, now, { maxEditLength: limits.edit.differences });
  return changes ? hunksOf(changes, head) : [whole];
}

/** Most changes replace some lines and leave the others in place, which needs no search. */
function changedInPlace(old: readonly string[], now: readonly string[], head: number): Hunk[] | undefined {
  if (old.length !== now.length) return undefined;
  const changed = old.flatMap((line, at) => (line === now[at] ? [] : [at]));
  if (changed.length > old.length / 4) return undefined;
  return changed.reduce<Hunk[]>((hunks, at) => {
    const last = hunks.at(-1);
    const start = head + at;
    if (!last || last.oldStart + last.oldCount < start) hunks.push(blockAt(start, 1));
    else hunks[hunks.length - 1] = blockAt(last.oldStart, last.oldCount + 1);
    return hunks;
  }, []);
}

function blockAt(start: number, count: number): Hunk {
  return { oldStart: start, oldCount: count, newStart: start, newCount: count };
}

interface Run {
  readonly added: boolean;
  readonly removed: boolean;
  readonly count: number;
}

function hunksOf(runs: readonly Run[], head: number): Hunk[] {
  const hunks: Hunk[] = [];
  let open: Hunk | undefined;
  let [oldAt, newAt] = [head, head];
  for (const { added, removed, count } of runs) {
    const [oldCount, newCount] = [added ? 0 : count, removed ? 0 : count];
    const differs = added || removed;
    if (differs) {
      open ??= { oldStart: oldAt, oldCount: 0, newStart: newAt, newCount: 0 };
      open = { ...open, oldCount: open.oldCount + oldCount, newCount: open.newCount + newCount };
    } else if (open) {
      hunks.push(open);
      open = undefined;
    }
    oldAt += oldCount;
    newAt += newCount;
  }
  return open ? [...hunks, open] : hunks;
}
