import { accessSync, constants, lstatSync, type Stats, statfsSync, statSync } from 'node:fs';
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
  /** The folder that keeps this process from writing; absent if it may. */
  readonly closed?: ClosedFolder;
  /** Free bytes on its disk; absent if that is not known. */
  readonly free?: number;
}

/** A folder that a process may not enter, or not write to. */
export interface ClosedFolder {
  readonly path: string;
  /** Whether its mode is what keeps the process out, and the process may change that. */
  readonly mayOpen: boolean;
}

const othersMayWrite = 0o022;

/** Looks at a folder, or at the nearest one above it that exists. Changes nothing. */
export function folderFacts(folder: string): FolderFacts {
  const stats = statsOf(folder);
  const place = stats ? folder : nearest(path.dirname(folder));
  const fault = stats && (stats.isDirectory() ? ownershipFault(stats, othersMayWrite) : noFolder);
  const free = resultOrError(() => statfsSync(place));
  const isWritable = mayAccess(place, constants.W_OK | constants.X_OK);
  return {
    exists: stats !== undefined,
    ...(fault === undefined ? {} : { fault: fault.replace(/\.$/, '') }),
    isWritable,
    ...(isWritable ? {} : { closed: { path: place, mayOpen: mayOpen(place) } }),
    ...(free instanceof LspanError ? {} : { free: free.bavail * free.bsize }),
  };
}

/** Returns the first folder on the way to a path that this process may not enter; `undefined` if there is none. */
export function closedFolder(target: string): ClosedFolder | undefined {
  const above = path.dirname(target);
  const outer = above === target ? undefined : closedFolder(above);
  if (outer) return outer;
  const isClosed = statsOf(target)?.isDirectory() === true && !mayAccess(target, constants.X_OK);
  return isClosed ? { path: target, mayOpen: mayOpen(target) } : undefined;
}

function mayAccess(place: string, mode: number): boolean {
  return !(resultOrError(() => accessSync(place, mode)) instanceof LspanError);
}

function mayOpen(place: string): boolean {
  const stats = statsOf(place);
  return stats !== undefined && stats.uid === process.getuid?.() && (stats.mode & 0o700) !== 0o700;
}

/** Returns the facts of an entry; `undefined` if there is none, or if a folder above may not be entered. */
function statsOf(entry: string): Stats | undefined {
  const stats = resultOrError(() => lstatSync(entry, { throwIfNoEntry: false }));
  return stats instanceof LspanError ? undefined : stats;
}

const noFolder = 'it is no folder, or a link to one';

function nearest(folder: string): string {
  const above = path.dirname(folder);
  return statsOf(folder) !== undefined || above === folder ? folder : nearest(above);
}

/** Returns what changes when an entry is made in a folder, or in the nearest one above it that is there. */
export function folderStamp(folder: string): string {
  const stats = resultOrError(() => {
    const place = nearest(folder);
    return { place, ...statSync(place) };
  });
  return stats instanceof LspanError ? '' : `${stats.place} ${stats.ino} ${stats.mtimeMs}`;
}
