import { createHash } from 'node:crypto';
import type { Call } from '../../core/call.ts';
import { limits } from '../../core/limits.ts';
import { eachInSlices } from '../../core/runtime/slices.ts';
import type { Pages } from './tool.ts';

/** Makes pages of items by a key that identifies each; items beyond the bound of lists cannot be shown. */
export function paged<T, D extends object>(
  items: readonly T[],
  keyOf: (item: T) => string,
  show: (some: readonly T[], call: Call, from: number) => Promise<D>,
): Pages<D> {
  const listed = items.length > limits.results.total ? items.slice(0, limits.results.total) : items;
  let cached: Summary | undefined;
  const summary = () => {
    cached ??= summarize(listed, keyOf);
    return cached;
  };
  return {
    length: listed.length,
    prepare: async () => {
      cached ??= await summarizeInSlices(listed, keyOf);
    },
    digest: () => summary().digest,
    bytes: () => summary().bytes,
    show: (from, to, call) => show(listed.slice(from, to), call, from),
  };
}

interface Summary {
  readonly digest: string;
  readonly bytes: number;
}

function summarize<T>(items: readonly T[], keyOf: (item: T) => string): Summary {
  const sum = new SummaryBuilder();
  for (const item of items) sum.add(keyOf(item));
  return sum.end();
}

/** Like `summarize`, but lets other work run in between: for long lists. */
async function summarizeInSlices<T>(items: readonly T[], keyOf: (item: T) => string): Promise<Summary> {
  const sum = new SummaryBuilder();
  await eachInSlices(items, (item) => sum.add(keyOf(item)));
  return sum.end();
}

/** Hashes keys one by one: joined, those of a long list would take megabytes. */
class SummaryBuilder {
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
