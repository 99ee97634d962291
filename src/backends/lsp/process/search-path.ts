import path from 'node:path';
import { realFile } from '../../../platform/files/real-file.ts';
import { inWorkspace } from './own-program.ts';

/** A folder of PATH as a real path, and why nothing is run from it, as the end of a sentence about it. */
export interface PathFolder {
  readonly folder: string;
  readonly fault?: string;
}

/** The folders of PATH in their order. Those that are relative or do not exist are not among them. */
export function pathFolders(value: string | undefined, roots: readonly string[]): readonly PathFolder[] {
  const found = new Map<string, PathFolder>();
  for (const entry of (value ?? '').split(path.delimiter)) {
    const real = isWhole(entry) ? realFile(entry) : undefined;
    if (!real?.stats.isDirectory() || found.has(real.path)) continue;
    const fault = real.worldWritable ? 'anybody may write to it' : workspaceFault(real.path, roots);
    found.set(real.path, { folder: real.path, ...(fault === undefined ? {} : { fault }) });
  }
  return [...found.values()];
}

/**
 * Whether an entry of PATH means the same folder wherever lspan is started. `\\tools` and `C:tools` do not on Windows:
 * they depend on the current drive, or on the current folder of a drive.
 */
export function isWhole(entry: string, platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'win32' ? /^(?:[a-z]:|\\\\[^\\/]+)[\\/]/i.test(entry) : entry.startsWith('/');
}

/** The value of PATH without the folders from which nothing is run. */
export function safePath(value: string | undefined, roots: readonly string[]): string {
  const safe = pathFolders(value, roots).filter(({ fault }) => fault === undefined);
  return safe.map(({ folder }) => folder).join(path.delimiter);
}

/** Why nothing is run from a real path in the workspace. */
export function workspaceFault(real: string, roots: readonly string[]): string | undefined {
  return inWorkspace(real, roots) ? 'it lies in the workspace' : undefined;
}
