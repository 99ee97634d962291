import { setImmediate as nextTurn } from 'node:timers/promises';
import { limits } from '../limits.ts';
import { groupBy } from './group-by.ts';

/**
 * Goes through things, which may become more on the way, and lets other work go first whenever that took a while.
 * Few things are gone through at once, and cost nothing more.
 */
export async function eachInSlices<T>(things: readonly T[], visit: (thing: T) => void): Promise<void> {
  await betweenSteps(things.length);
  const pace = new Pace();
  for (const thing of things) {
    if (pace.isDue()) await pace.rest();
    visit(thing);
  }
  await betweenSteps(things.length);
}

/** What a function makes of each of many things. */
export async function mapInSlices<T, R>(things: readonly T[], make: (thing: T) => R): Promise<R[]> {
  if (things.length <= limits.slice.things) return things.map(make);
  const made: R[] = [];
  await eachInSlices(things, (thing) => void made.push(make(thing)));
  return made;
}

/** What a function makes of each of many things, as far as it makes something. */
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

/** Those of many things that are wanted. */
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

/** Many things by what they have in common, in the order in which they come. */
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

/** Several lists as one; a single one as it is, since it may be long. */
export function joined<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const [only = [], ...others] = lists;
  return others.length === 0 ? only : lists.flat();
}

/** Many things in order; of those that are equal, the first stays first. */
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

/** Many things in order, of those that compare as the same one. */
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

/** Lets other work go first between two steps of work on very many things. */
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

/** Tells long work when it is time to let others go first: `if (pace.isDue()) await pace.rest()` at every step. */
export class Pace {
  #steps = 0;
  #end = performance.now() + limits.slice.time;

  /** The clock is looked at only now and then, so that short work costs nothing more. */
  isDue(): boolean {
    this.#steps += 1;
    return this.#steps % limits.slice.steps === 0 && this.isLate();
  }

  /** The same for work whose single steps take long. */
  isLate(): boolean {
    return performance.now() > this.#end;
  }

  async rest(): Promise<void> {
    await nextTurn();
    this.#end = performance.now() + limits.slice.time;
  }
}
