import type { Stats } from 'node:fs';

/**
 * Returns why a file or folder is not private to this user, as the end of a sentence. `open` are the mode bits that it
 * must not have. On Windows the mode says nothing, and every file passes.
 */
export function ownershipFault(stats: Pick<Stats, 'uid' | 'mode'>, open: number): string | undefined {
  const me = process.getuid?.();
  if (me === undefined) return undefined;
  if (stats.uid !== me) return 'it belongs to another user.';
  return (stats.mode & open) === 0 ? undefined : 'others may open it: its mode is too wide.';
}
