import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import { processNumbers, readProc } from './process-files.ts';

/** The watches of folders that the kernel allows a user, and those in use. */
export interface WatchUse {
  readonly most: number;
  /** Of the processes that this one may look at; absent if there are too many files open. */
  readonly used?: number;
}

/** Returns the use of watches; `undefined` where the kernel has no such limit. */
export function watchUse(): WatchUse | undefined {
  const most = Number.parseInt(readProc('sys', 'fs/inotify/max_user_watches'), 10);
  if (!Number.isSafeInteger(most)) return undefined;
  const used = countWatches();
  return { most, ...(used === undefined ? {} : { used }) };
}

function countWatches(): number | undefined {
  let looked = 0;
  let used = 0;
  for (const pid of processNumbers())
    for (const descriptor of namesIn(`/proc/${pid}/fd`)) {
      looked += 1;
      if (looked > limits.doctor.watches.descriptors) return undefined;
      if (isWatch(`/proc/${pid}/fd/${descriptor}`)) used += watchesOf(`/proc/${pid}/fdinfo/${descriptor}`);
    }
  return used;
}

/** Empty for the process of another user, or one that has ended. */
function namesIn(folder: string): readonly string[] {
  const names = resultOrError(() => readdirSync(folder));
  return names instanceof LspanError ? [] : names;
}

function isWatch(descriptor: string): boolean {
  return resultOrError(() => readlinkSync(descriptor)) === 'anon_inode:inotify';
}

/** https://man7.org/linux/man-pages/man5/proc_pid_fdinfo.5.html: a line for each watch. */
function watchesOf(info: string): number {
  const lines = resultOrError(() => readFileSync(info, 'latin1'));
  return lines instanceof LspanError ? 0 : (lines.match(/^inotify wd:/gm)?.length ?? 0);
}
