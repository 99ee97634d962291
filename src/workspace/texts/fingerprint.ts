import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import path from 'node:path';
import picomatch from 'picomatch';
import { limits } from '../../core/limits.ts';
import type { Fingerprint } from '../../core/trust.ts';
import { quotePath } from '../../core/wording/quote-path.ts';
import { AlsoWatched } from '../freshness/also-watched.ts';
import { AllowedFolders } from '../gate/allowed-folders.ts';
import { type Bytes, readInside } from '../gate/read-inside.ts';
import { realPath } from '../gate/real-path.ts';
import { listTree } from './list-tree.ts';

/** Called for each file that was read, with its real path and its stats at that time. */
type OnRead = (real: string, stats: Stats) => void;

/**
 * Hashes every file of a root that a glob matches, ignored or not. Follows links inside the root, reads nothing
 * outside. Stops at the first fault: a part of the content proves nothing.
 */
export function fingerprint(root: string, globs: readonly string[], onRead: OnRead = () => {}): Fingerprint {
  const allowed = new AllowedFolders([root]);
  const { files, whole } = listTree(root, matchingBelow(globs));
  const named = files.filter(matching(globs)).sort();
  const read = new Map<string, string>();
  const places = new Set<string>();
  if (!whole) return { files: read, places, fault: tooWide };
  if (named.length > limits.trust.files) return { files: read, places, fault: tooMany };
  let left = limits.trust.bytes;
  for (const inside of named) {
    const content = readNamed(allowed, path.join(root, inside), left);
    if (content.kind !== 'bytes') return { files: read, places, fault: complaint(inside, content.kind) };
    onRead(content.real, content.stats);
    places.add(content.real);
    left -= content.bytes.length;
    read.set(inside, createHash('sha256').update(content.bytes).digest('hex'));
  }
  return { files: read, places };
}

/** Returns a predicate of relative paths that a glob matches; ignores letter case where the system does. */
export function matching(globs: readonly string[]): (inside: string) => boolean {
  if (globs.length === 0) return () => false;
  return picomatch([...globs], { dot: true, nocase: process.platform !== 'linux' });
}

function matchingBelow(globs: readonly string[]): (inside: string) => boolean {
  const named = new AlsoWatched();
  named.add(globs);
  return (inside) => named.canMatchBelow(inside);
}

type Content =
  | (Extract<Bytes, { readonly kind: 'bytes' }> & { readonly real: string })
  | { readonly kind: Exclude<Bytes['kind'], 'bytes'> };

function readNamed(allowed: AllowedFolders, file: string, most: number): Content {
  const located = allowed.locate(file);
  const followed = located && realPath(allowed, located);
  if (followed?.kind !== 'found') return { kind: followed?.kind ?? 'outside' };
  const read = readInside(allowed, followed.path, most);
  return read.kind === 'bytes' ? { ...read, real: followed.path } : read;
}

const tooWide = `The folder has more than ${limits.scan.files} files and folders.`;
const tooMany = `More than ${limits.trust.files} of its files decide what runs.`;

function complaint(inside: string, kind: Exclude<Bytes['kind'], 'bytes'>): string {
  return `${quotePath(inside)} ${complaints[kind]}.`;
}

const complaints: Readonly<Record<Exclude<Bytes['kind'], 'bytes'>, string>> = {
  outside: 'is a link that leads out of the folder',
  missing: 'is a broken link',
  link: 'is a link that changes while it is read',
  unreadable: 'cannot be read',
  crowded: 'cannot be opened: too many files are open',
  directory: 'is a link to a folder',
  special: 'is not a regular file',
  too_large: `and those before it are larger than ${limits.trust.bytes / 1024 ** 2} MiB`,
};
