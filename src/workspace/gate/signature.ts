import { lstatSync, type Stats, statSync } from 'node:fs';
import { attempt } from './attempt.ts';

/** Returns the stats of a path itself, links not followed; `undefined` if there are none. */
export function statsOf(path: string): Stats | undefined {
  const stats = attempt(() => lstatSync(path, { throwIfNoEntry: false }));
  return stats.ok ? stats.value : undefined;
}

/** Returns the stats of what a link leads to; `undefined` if it leads nowhere. */
export function linkedStats(link: string): Stats | undefined {
  const stats = attempt(() => statSync(link, { throwIfNoEntry: false }));
  return stats.ok ? stats.value : undefined;
}

/** Identifies a state of a file without reading it; the change time reveals restored modification times. */
export function signatureOf(stats: Stats): string {
  return `${stats.mtimeMs}:${stats.ctimeMs}:${stats.size}:${stats.ino}`;
}

/**
 * True if the file changed so recently that one more change could leave the same signature:
 * file systems stamp with the tick of the kernel (10 ms at most), some old ones with whole seconds.
 */
export function isUnsettled(stats: Stats, now = Date.now()): boolean {
  return now - stats.ctimeMs < (stats.ctimeMs % 1_000 === 0 ? 2_000 : 20);
}
