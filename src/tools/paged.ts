import { createHash } from 'node:crypto';
import type { Call } from '../core/call.ts';
import { limits } from '../core/limits.ts';
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
  const keys = () => listed.map(keyOf).join('\0');
  return {
    length: listed.length,
    digest: () => createHash('sha256').update(keys()).digest('base64url'),
    bytes: () => listed.length * limits.listSnapshots.item + keys().length,
    show: (from, to, call) => show(listed.slice(from, to), call, from),
  };
}
