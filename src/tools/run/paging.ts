import { createHash } from 'node:crypto';
import type { Call } from '../../core/call.ts';
import { limits } from '../../core/limits.ts';
import { eachInSlices } from '../../core/runtime/slices.ts';
import type { Pages } from './tool.ts';

/**
 * A list by pages: its things in order, what tells one of them from others, and how some of them are shown.
 * Beyond the bound of lists nothing can be shown.
 */
export function paged<T, D extends object>(
  items: readonly T[],
  keyOf: (item: T) => string,
  show: (some: readonly T[], call: Call, from: number) => Promise<D>,
): Pages<D> {
  const listed = items.length > limits.results.total ? items.slice(0, limits.results.total) : items;
  let known: Summary | undefined;
  const summary = () => {
    known ??= summed(listed, keyOf);
    return known;
  };
  return {
    length: listed.length,
    prepare: async () => {
      known ??= await summedInSlices(listed, keyOf);
    },
    digest: () => summary().digest,
    bytes: () => summary().bytes,
    show: (from, to, call) => show(listed.slice(from, to), call, from),
  };
}

/** What is known of a list as a whole. */
interface Summary {
  readonly digest: string;
  readonly bytes: number;
}

function summed<T>(items: readonly T[], keyOf: (item: T) => string): Summary {
  const sum = new Sum();
  for (const item of items) sum.add(keyOf(item));
  return sum.end();
}

/** The same for a list that is surely long. */
async function summedInSlices<T>(items: readonly T[], keyOf: (item: T) => string): Promise<Summary> {
  const sum = new Sum();
  await eachInSlices(items, (item) => sum.add(keyOf(item)));
  return sum.end();
}

/** Keys are hashed one by one: joined, those of a long list would be megabytes. */
class Sum {
  readonly #hash = createHash('sha256');
  #bytes = 0;

  add(key: string): void {
    this.#hash.update(key).update('\0');
    this.#bytes += key.length + 1 + limits.listSnapshots.item;
  }

  end(): Summary {
    return { digest: this.#hash.digest('base64url'), bytes: this.#bytes };
  }
}
