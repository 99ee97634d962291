import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import path from 'node:path';
import type { AllowedFolders } from './allowed-folders.ts';
import { attempt } from './attempt.ts';
import { outsideWorkspace, readGivenPath } from './given-path.ts';
import { realPath } from './real-path.ts';

/** The entry at a path that an agent gave. */
export interface GivenEntry {
  /** Real, except that the last name may be a link. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other' | 'missing';
  /** What a link says, such as `../a.ts`. */
  readonly target?: string;
}

/** Finds the entry that an agent names, existing or not: follows links on the way, but not one at the end. */
export function entryAt(allowed: AllowedFolders, given: string): GivenEntry {
  const read = readGivenPath(given);
  const bases = path.isAbsolute(read) ? ['/'] : allowed.bases;
  const entries = bases.flatMap((base) => entryIn(allowed, path.resolve(base, read)));
  const entry = entries.find(({ kind }) => kind !== 'missing') ?? entries[0];
  if (!entry) throw outsideWorkspace(given, allowed.bases);
  return entry;
}

function entryIn(allowed: AllowedFolders, spelled: string): GivenEntry[] {
  const located = allowed.locate(spelled);
  if (located?.standing !== 'inside') return [];
  if (located.path === located.base) return [{ path: located.path, kind: 'folder' }];
  const parent = realPath(allowed, { ...located, path: path.dirname(located.path) });
  if (parent.kind === 'outside' || parent.kind === 'unreadable') return [];
  if (allowed.rootOf(parent.path) === undefined) return [];
  const entry = path.join(parent.path, path.basename(located.path));
  if (parent.kind === 'missing') return [{ path: entry, kind: 'missing' }];
  const stats = attempt(() => lstatSync(entry));
  if (!stats.ok) return [{ path: entry, kind: 'missing' }];
  const kind = kindOf(stats.value);
  const target = kind === 'link' ? attempt(() => readlinkSync(entry)) : undefined;
  return [{ path: entry, kind, ...(target?.ok ? { target: target.value } : {}) }];
}

function kindOf(stats: Stats): GivenEntry['kind'] {
  if (stats.isSymbolicLink()) return 'link';
  if (stats.isDirectory()) return 'folder';
  return stats.isFile() ? 'file' : 'other';
}
