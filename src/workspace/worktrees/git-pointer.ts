import { realpathSync } from 'node:fs';
import path from 'node:path';
import { limits } from '../../core/limits.ts';
import { AllowedFolders } from '../gate/allowed-folders.ts';
import { attempt } from '../gate/attempt.ts';
import { readInside } from '../gate/read-inside.ts';
import { isForeignShare } from '../gate/windows-path.ts';

/**
 * Returns the absolute path that a file of git's names, `gitdir: PATH` or `PATH`; `undefined` if the file is missing,
 * a link, too large, or names no local path. The path is only spelled out: nothing there is looked at.
 */
export function readPointer(folder: string, name: string, start = ''): string | undefined {
  const text = readGitFile(folder, name);
  if (!text?.startsWith(start)) return undefined;
  const target = text.slice(start.length).replace(/[\r\n]+$/, '');
  const isPath = target.trim() !== '' && target.length <= limits.path.length && !/[\0\r\n]/.test(target);
  if (!isPath || isForeignShare(target, process.platform)) return undefined;
  return path.resolve(folder, target);
}

/** Returns the text of a small file in a folder; a link is not followed. */
export function readGitFile(
  folder: string,
  name: string,
  most: number = limits.worktrees.file,
): string | undefined {
  // A folder that is missing is not allowed at all.
  if (realPathOf(folder) === undefined) return undefined;
  const read = attempt(() => readInside(new AllowedFolders([folder]), path.join(folder, name), most));
  return read.ok && read.value.kind === 'bytes' ? read.value.bytes.toString('utf8') : undefined;
}

/** Returns the real path of an existing folder or file. */
export function realPathOf(given: string): string | undefined {
  const real = attempt(() => realpathSync.native(given));
  return real.ok ? real.value : undefined;
}
