import type { Stats } from 'node:fs';

/**
 * Why a file or folder is not this user's alone, as the end of a sentence; nothing where it is.
 * `open` are the bits of the mode that nobody else may have. Windows tells by other means than a mode.
 */
export function ownershipFault(stats: Pick<Stats, 'uid' | 'mode'>, open: number): string | undefined {
  const me = process.getuid?.();
  if (me === undefined) return undefined;
  if (stats.uid !== me) return 'it belongs to somebody else.';
  return (stats.mode & open) === 0 ? undefined : 'others may open it: its mode is too wide.';
}
