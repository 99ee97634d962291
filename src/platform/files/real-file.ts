import { existsSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { limits } from '../../core/limits.ts';
import { resultOrError } from '../../core/runtime/result.ts';

/** An existing path, with links resolved, and its stats. */
export interface RealFile {
  readonly path: string;
  readonly stats: Stats;
  /** Every user of the machine may change it. False on Windows, where the mode says nothing. */
  readonly worldWritable: boolean;
}

/** Resolves a path; `undefined` if it does not exist, or this user has no access. */
export function realFile(given: string): RealFile | undefined {
  // An error takes ten times as long as this look, and a start asks about many paths that do not exist.
  if (!existsSync(given)) return undefined;
  try {
    const path = realpathSync(given);
    const stats = statSync(path);
    return { path, stats, worldWritable: process.platform !== 'win32' && (stats.mode & 0o002) !== 0 };
  } catch {
    return undefined;
  }
}

/** Returns the text of a small file with settings; `undefined` if there is none. */
export function smallText(file: string): string | undefined {
  const isSmall = (realFile(file)?.stats.size ?? Infinity) <= limits.settingsFile;
  const text = isSmall ? resultOrError(() => readFileSync(file, 'utf8')) : undefined;
  return typeof text === 'string' ? text : undefined;
}
