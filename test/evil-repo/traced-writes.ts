import path from 'node:path';
import { tracer } from './traced-runs.ts';

/** A call that changes the disk, or could have, as the kernel saw it. */
export interface Write {
  readonly call: string;
  /** Every path that it names. */
  readonly paths: readonly string[];
}

/** The calls by which names, contents, modes, owners and times are changed; those that open a file tell how. */
export const writingCalls = [
  ...['open', 'openat', 'openat2', 'creat', 'truncate', 'ftruncate', 'fallocate', 'mknod', 'mknodat'],
  ...['rename', 'renameat', 'renameat2', 'link', 'linkat', 'symlink', 'symlinkat'],
  ...['unlink', 'unlinkat', 'rmdir', 'mkdir', 'mkdirat'],
  ...['chmod', 'fchmod', 'fchmodat', 'chown', 'fchown', 'lchown', 'fchownat'],
  ...['utime', 'utimes', 'utimensat', 'futimesat', 'setxattr', 'lsetxattr', 'fsetxattr'],
  // Through this one, files are changed by no call at all.
  'io_uring_setup',
];

/** The words before a program that have what it and its children write written down. */
export function tracingWrites(output: string): readonly string[] {
  return tracer(writingCalls.map((call) => `?${call}`).join(), output);
}

/** Reads what strace wrote. A path that is not absolute is one in the folder that the program was started in. */
export function readWrites(trace: string, start: string): Write[] {
  return trace.split('\n').flatMap((line) => {
    const [, call, rest = ''] = /^\d+ +(\w+)\((.*)$/.exec(line) ?? [];
    if (call === undefined || !writingCalls.includes(call) || !writes(call, rest)) return [];
    return [{ call, paths: pathsIn(rest, start) }];
  });
}

function writes(call: string, rest: string): boolean {
  return !call.startsWith('open') || /\bO_(WRONLY|RDWR|CREAT|TRUNC|APPEND|TMPFILE)\b/.test(rest);
}

/** Descriptors are written with what they stand for; a path after one begins there, and else it is meant itself. */
function pathsIn(rest: string, start: string): readonly string[] {
  const [given = ''] = rest.split(/\) += |<unfinished/);
  const parts = [...given.matchAll(/(?:\d+|AT_FDCWD)<([^>]*)>|"((?:[^"\\]|\\.)*)"/g)];
  let folder = start;
  const named = parts.flatMap(([, descriptor, name]) => {
    folder = descriptor ?? folder;
    return name === undefined ? [] : [path.resolve(folder, name)];
  });
  return named.length > 0 ? named : [folder];
}
