import { createHash } from 'node:crypto';
import type { Call } from '../core/call.ts';
import type { Pages } from './tool.ts';

/** A list by pages: its things in order, what tells one of them from others, and how some of them are shown. */
export function paged<T, D extends object>(
  items: readonly T[],
  keyOf: (item: T) => string,
  show: (some: readonly T[], call: Call, from: number) => Promise<D>,
): Pages<D> {
  return {
    length: items.length,
    digest: () => {
      const hash = createHash('sha256');
      for (const item of items) hash.update(keyOf(item)).update('\0');
      return hash.digest('base64url');
    },
    show: (from, to, call) => show(items.slice(from, to), call, from),
  };
}
