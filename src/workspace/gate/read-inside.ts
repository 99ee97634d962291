import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import type { AllowedFolders } from './allowed-folders.ts';
import { attempt } from './attempt.ts';

/** The bytes of a file, or why there are none. */
export type Bytes =
  | { readonly kind: 'bytes'; readonly bytes: Buffer; readonly stats: Stats }
  | { readonly kind: Unread };

type Unread =
  | 'outside'
  | 'missing'
  | 'link'
  | 'unreadable'
  | 'crowded'
  | 'directory'
  | 'special'
  | 'too_large';

/**
 * Reads a file by its real path. Reads no file outside, even if a folder on the way is swapped for a link meanwhile:
 * what counts is where the opened file lies, not what its path looked like before.
 */
export function readInside(
  allowed: AllowedFolders,
  real: string,
  most: number,
  proof: Proof = process.platform === 'linux' ? 'descriptor' : 'path',
): Bytes {
  if (!allowed.contains(real)) return { kind: 'outside' };
  const opened = attempt(() => openSync(real, flags));
  if (!opened.ok) return { kind: refusals[opened.code] ?? 'unreadable' };
  try {
    const stats = fstatSync(opened.value);
    if (!stats.isFile()) return { kind: stats.isDirectory() ? 'directory' : 'special' };
    if (!liesInside(allowed, opened.value, real, proof)) return { kind: 'outside' };
    if (stats.size > most) return { kind: 'too_large' };
    // Some files of the kernel are plain files that cannot be read at the moment, or at all.
    const bytes = attempt(() => readAtMost(opened.value, stats.size, most));
    if (!bytes.ok) return { kind: 'unreadable' };
    return bytes.value ? { kind: 'bytes', bytes: bytes.value, stats } : { kind: 'too_large' };
  } finally {
    closeSync(opened.value);
  }
}

// Never wait for a pipe's other end, follow a link at the end of the path, or take over a terminal.
// Windows has none of the three flags: there they are undefined.
const flags =
  constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0) | (constants.O_NOCTTY ?? 0);

const refusals: Readonly<Record<string, Exclude<Bytes['kind'], 'bytes'>>> = {
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  ELOOP: 'link',
  ENXIO: 'special',
  EISDIR: 'directory',
  EMFILE: 'crowded',
  ENFILE: 'crowded',
};

/** How to learn where an opened file lies: ask the kernel about the descriptor, or resolve the path once more. */
type Proof = 'descriptor' | 'path';

function liesInside(allowed: AllowedFolders, descriptor: number, real: string, proof: Proof): boolean {
  const link =
    proof === 'descriptor' ? attempt(() => readlinkSync(`/proc/self/fd/${descriptor}`)) : undefined;
  if (link?.ok) return allowed.contains(link.value);
  const opened = fstatSync(descriptor);
  const leadsInside = () => {
    const now = attempt(() => realpathSync.native(real));
    return now.ok && allowed.contains(now.value);
  };
  const there = leadsInside() ? attempt(() => lstatSync(real)) : undefined;
  // Checked again, since a folder may have been swapped just for the `lstat`.
  return (
    there?.ok === true && there.value.dev === opened.dev && there.value.ino === opened.ino && leadsInside()
  );
}

/** Reads to the end, but stops past the limit: the file may grow while it is read. */
function readAtMost(descriptor: number, expected: number, most: number): Buffer | undefined {
  let buffer = Buffer.allocUnsafe(expected + 1);
  let length = 0;
  for (;;) {
    const read = readSync(descriptor, buffer, length, buffer.length - length, null);
    if (read === 0) return buffer.subarray(0, length);
    length += read;
    if (length > most) return undefined;
    if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
  }
}
