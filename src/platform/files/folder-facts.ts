import { accessSync, constants, lstatSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import { ownershipFault } from './file-owner.ts';

/** What is known of a folder of lspan's own. */
export interface FolderFacts {
  readonly exists: boolean;
  /** Why it cannot be used, as the end of a sentence: it is none, another's, or others may write there. */
  readonly fault?: string;
  /** Whether this process may write there, or make it if it is missing. */
  readonly isWritable: boolean;
  /** Free bytes on its disk; absent if that is not known. */
  readonly free?: number;
}

const othersMayWrite = 0o022;

/** Looks at a folder, or at the nearest one above it that exists. Changes nothing. */
export function folderFacts(folder: string): FolderFacts {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  const place = stats ? folder : nearest(path.dirname(folder));
  const fault = stats && (stats.isDirectory() ? ownershipFault(stats, othersMayWrite) : noFolder);
  const free = resultOrError(() => statfsSync(place));
  return {
    exists: stats !== undefined,
    ...(fault === undefined ? {} : { fault: fault.replace(/\.$/, '') }),
    isWritable: !(
      resultOrError(() => accessSync(place, constants.W_OK | constants.X_OK)) instanceof LspanError
    ),
    ...(free instanceof LspanError ? {} : { free: free.bavail * free.bsize }),
  };
}

const noFolder = 'it is no folder, or a link to one';

function nearest(folder: string): string {
  const above = path.dirname(folder);
  const isThere = lstatSync(folder, { throwIfNoEntry: false }) !== undefined;
  return isThere || above === folder ? folder : nearest(above);
}

/** Returns what changes when an entry is made in a folder, or in the nearest one above it that is there. */
export function folderStamp(folder: string): string {
  const stats = resultOrError(() => {
    const place = nearest(folder);
    return { place, ...statSync(place) };
  });
  return stats instanceof LspanError ? '' : `${stats.place} ${stats.ino} ${stats.mtimeMs}`;
}
