import { realpathSync, type Stats, statSync } from 'node:fs';

/** A path that exists: where it really is, and what is there. */
export interface RealFile {
  readonly path: string;
  readonly stats: Stats;
  /** Anybody on the machine may change it. Windows tells by other means than a mode. */
  readonly worldWritable: boolean;
}

/** Follows a path to what it means; nothing when it leads nowhere, or where this user may not go. */
export function realFile(given: string): RealFile | undefined {
  try {
    const path = realpathSync(given);
    const stats = statSync(path);
    return { path, stats, worldWritable: process.platform !== 'win32' && (stats.mode & 0o002) !== 0 };
  } catch {
    return undefined;
  }
}
