import { setImmediate as nextTurn } from 'node:timers/promises';
import { limits } from '../limits.ts';
import { groupBy } from './group-by.ts';

/** Visits things, which may grow meanwhile, and yields after each slice of time; short lists cost no more. */
export async function eachInSlices<T>(things: readonly T[], visit: (thing: T) => void): Promise<void> {
  await betweenSteps(things.length);
  const pace = new Pace();
  for (const thing of things) {
    if (pace.isDue()) await pace.rest();
    visit(thing);
  }
  await betweenSteps(things.length);
}

/** Like `map`, but in slices if the list is long. */
export async function mapInSlices<T, R>(things: readonly T[], make: (thing: T) => R): Promise<R[]> {
  if (things.length <= limits.slice.things) return things.map(make);
  const made: R[] = [];
  await eachInSlices(things, (thing) => void made.push(make(thing)));
  return made;
}

/** Like `mapInSlices`, but drops `undefined`. */
export async function collectInSlices<T, R>(
  things: readonly T[],
  make: (thing: T) => R | undefined,
): Promise<R[]> {
  const made: R[] = [];
  await eachInSlices(things, (thing) => {
    const one = make(thing);
    if (one !== undefined) made.push(one);
  });
  return made;
}

/** Like `filter`, but in slices if the list is long. */
export async function filterInSlices<T>(
  things: readonly T[],
  isWanted: (thing: T) => boolean,
): Promise<readonly T[]> {
  if (things.length <= limits.slice.things) return things.filter(isWanted);
  const kept: T[] = [];
  await eachInSlices(things, (thing) => {
    if (isWanted(thing)) kept.push(thing);
  });
  return kept;
}

/** Like `groupBy`, but in slices if the list is long. */
export async function groupInSlices<T, K>(
  things: readonly T[],
  keyOf: (thing: T) => K,
): Promise<Map<K, T[]>> {
  if (things.length <= limits.slice.things) return groupBy(things, keyOf);
  const groups = new Map<K, T[]>();
  await eachInSlices(things, (thing) => {
    const key = keyOf(thing);
    const group = groups.get(key);
    if (group) group.push(thing);
    else groups.set(key, [thing]);
  });
  return groups;
}

/** Concatenates lists; returns a single list as it is, since copying a long one takes time. */
export function joined<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const [only = [], ...others] = lists;
  return others.length === 0 ? only : lists.flat();
}

/** Like `sort`, but returns a copy, in slices if the list is long; the sort is stable. */
export async function sortInSlices<T>(things: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  const size = limits.slice.things;
  if (things.length <= size) return [...things].sort(compare);
  const pace = new Pace();
  let runs: T[][] = [];
  for (let start = 0; start < things.length; start += size) {
    if (pace.isLate()) await pace.rest();
    runs.push(things.slice(start, start + size).sort(compare));
  }
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      longer.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], compare, pace));
    runs = longer;
  }
  return runs[0] ?? [];
}

/** Sorts things in slices and keeps the first of those that compare as equal. */
export async function inOrder<T>(
  things: readonly T[],
  compare: (a: T, b: T) => number,
): Promise<readonly T[]> {
  const ordered: T[] = [];
  await eachInSlices(await sortInSlices(things, compare), (thing) => {
    const before = ordered.at(-1);
    if (before === undefined || compare(before, thing) !== 0) ordered.push(thing);
  });
  return ordered;
}

/** Yields to other work between two steps of work on very many things. */
export async function betweenSteps(things: number): Promise<void> {
  if (things > limits.slice.things) await nextTurn();
}

async function merge<T>(
  first: readonly T[],
  second: readonly T[],
  compare: (a: T, b: T) => number,
  pace: Pace,
): Promise<T[]> {
  const merged: T[] = [];
  const [left, right] = [first.values(), second.values()];
  let [a, b] = [left.next(), right.next()];
  while (!a.done && !b.done) {
    if (pace.isDue()) await pace.rest();
    if (compare(a.value, b.value) <= 0) {
      merged.push(a.value);
      a = left.next();
    } else {
      merged.push(b.value);
      b = right.next();
    }
  }
  for (; !a.done; a = left.next()) merged.push(a.value);
  for (; !b.done; b = right.next()) merged.push(b.value);
  return merged;
}

/** Says when long work should yield to other work: `if (pace.isDue()) await pace.rest()` at every step. */
export class Pace {
  #steps = 0;
  #end = performance.now() + limits.slice.time;

  /** Reads the clock only every few steps, so that short work has no overhead. */
  isDue(): boolean {
    this.#steps += 1;
    return this.#steps % limits.slice.steps === 0 && this.isLate();
  }

  /** Like `isDue`, but for work whose single steps take long. */
  isLate(): boolean {
    return performance.now() > this.#end;
  }

  async rest(): Promise<void> {
    await nextTurn();
    this.#end = performance.now() + limits.slice.time;
  }
}
