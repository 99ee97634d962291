import path from 'node:path';
import { realFile } from '../../../platform/files/real-file.ts';
import { inWorkspace } from './own-program.ts';

/** A folder of PATH as a real path, and why nothing is run from it, as the end of a sentence about it. */
interface PathFolder {
  readonly folder: string;
  readonly fault?: string;
}

/** Returns the folders of PATH in order, without those that are relative or do not exist. */
export function pathFolders(value: string | undefined, roots: readonly string[]): readonly PathFolder[] {
  const found = new Map<string, PathFolder>();
  for (const entry of (value ?? '').split(path.delimiter)) {
    const real = isWhole(entry) ? realFile(entry) : undefined;
    if (!real?.stats.isDirectory() || found.has(real.path)) continue;
    const fault = real.worldWritable ? 'it is world-writable' : workspaceFault(real.path, roots);
    found.set(real.path, { folder: real.path, ...(fault === undefined ? {} : { fault }) });
  }
  return [...found.values()];
}

/** True if an entry of PATH is absolute. On Windows, `\tools` and `C:tools` depend on the drive or folder. */
export function isWhole(entry: string, platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'win32' ? /^(?:[a-z]:|\\\\[^\\/]+)[\\/]/i.test(entry) : entry.startsWith('/');
}

/** Returns PATH without the folders from which nothing is run. */
export function safePath(value: string | undefined, roots: readonly string[]): string {
  const safe = pathFolders(value, roots).filter(({ fault }) => fault === undefined);
  return safe.map(({ folder }) => folder).join(path.delimiter);
}

/** Why nothing is run from a real path, if it is in the workspace. */
export function workspaceFault(real: string, roots: readonly string[]): string | undefined {
  return inWorkspace(real, roots) ? 'it is in the workspace' : undefined;
}
