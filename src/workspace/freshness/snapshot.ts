import path from 'node:path';
import { limits } from '../../core/limits.ts';
import { isStagingName } from '../../core/staging-names.ts';
import type { IgnoreRules } from './ignore-rules.ts';

/** Which entries of a folder count: all not ignored; only those that globs match; or all listed, but not deeper. */
export type FolderScope = 'all' | 'matched' | 'listed';

/** A folder as of its last scan. */
export interface Folder {
  readonly path: string;
  /** Relative to its root, with `/`; empty for the root itself. */
  readonly inside: string;
  readonly parent: Folder | undefined;
  readonly scope: FolderScope;
  rules: IgnoreRules;
  /** Identifies the state of the folder itself; `undefined` if it must be listed again. */
  signature: string | undefined;
  /** Identifies the state of its own rule files when they were read; empty if it has none. */
  rulesSignature: string;
  inode: number;
  device: number;
  /** Signatures of the regular files that are not ignored, by name. */
  readonly files: Map<string, string>;
  /** Signatures of entries that are reported but not listed: links, and ignored files that globs match. */
  readonly extras: Map<string, string>;
  readonly folders: Map<string, Folder>;
}

/** The files of the workspace as of the latest barrier. */
export class Snapshot {
  readonly #folders = new Map<string, Folder>();
  /** Entries that may have the same signature after one more change. */
  readonly unsettled = new Set<string>();
  /** Files that nobody should read whole, and what they are: a size, a device. */
  readonly unfit = new Map<string, string>();
  #entries = 0;
  /** Grows when an entry comes, goes, or is no longer listed, for whatever reason. */
  revision = 0;
  /** Entries were left out because the limit was reached. */
  overflowed = false;

  get folders(): Iterable<Folder> {
    return this.#folders.values();
  }

  /** True if a folder is still part of the snapshot. */
  contains(folder: Folder): boolean {
    return this.#folders.get(folder.path) === folder;
  }

  folder(absolute: string): Folder | undefined {
    return this.#folders.get(absolute);
  }

  /** True if changes to this path are reported. */
  has(absolute: string): boolean {
    // Asked for every file of every answer: cheaper than `path`, whose result is the same for what is listed.
    const end = absolute.lastIndexOf(path.sep);
    const folder = this.#folders.get(end > 0 ? absolute.slice(0, end) : path.dirname(absolute));
    const name = absolute.slice(end + 1);
    return folder !== undefined && (folder.files.has(name) || folder.extras.has(name));
  }

  isFile(absolute: string): boolean {
    return this.#folders.get(path.dirname(absolute))?.files.has(path.basename(absolute)) ?? false;
  }

  /** True if a file at this path would be listed if it existed: no rule ignores it. */
  wouldList(absolute: string): boolean {
    const names = [path.basename(absolute)];
    let at = path.dirname(absolute);
    for (; !this.#folders.has(at) && at !== path.dirname(at); at = path.dirname(at))
      names.unshift(path.basename(at));
    const folder = this.#folders.get(at);
    if (folder?.scope !== 'all' || names.some(isStagingName)) return false;
    const inside = names.map((_, index) => insideOf(folder, names.slice(0, index + 1).join('/')));
    return !inside.some((each, index) => folder.rules.ignores(each, index < names.length - 1));
  }

  *files(): Generator<string> {
    for (const folder of this.#folders.values())
      for (const name of folder.files.keys()) yield pathIn(folder, name);
  }

  /** Returns the entries that are reported but not listed. */
  *extras(): Generator<string> {
    for (const folder of this.#folders.values())
      for (const name of folder.extras.keys()) yield pathIn(folder, name);
  }

  /** True if one more entry fits within the limit; else records the overflow. */
  hasRoom(): boolean {
    if (this.#entries < limits.scan.files) return true;
    this.overflowed = true;
    return false;
  }

  addFolder(folder: Folder): void {
    this.#folders.set(folder.path, folder);
    this.#entries++;
  }

  removeFolder(folder: Folder): void {
    if (this.#folders.delete(folder.path)) this.#entries -= 1;
  }

  setEntry(folder: Folder, name: string, list: 'files' | 'extras', signature: string): void {
    if (!folder[list].has(name)) this.revision += 1;
    if (!folder.files.has(name) && !folder.extras.has(name)) this.#entries++;
    folder[list === 'files' ? 'extras' : 'files'].delete(name);
    folder[list].set(name, signature);
  }

  /** Removes an entry; returns whether there was one. */
  removeEntry(folder: Folder, name: string): boolean {
    const known = folder.files.delete(name) || folder.extras.delete(name);
    if (!known) return false;
    this.#entries--;
    this.revision += 1;
    this.unsettled.delete(pathIn(folder, name));
    this.unfit.delete(pathIn(folder, name));
    return true;
  }
}

/** Returns the path of a name in a folder. */
export function pathIn(folder: Folder, name: string): string {
  return folder.path.endsWith(path.sep) ? folder.path + name : folder.path + path.sep + name;
}

/** Like `pathIn`, but relative to the root, as rules and globs need it. */
export function insideOf(folder: Folder, name: string): string {
  return folder.inside === '' ? name : `${folder.inside}/${name}`;
}

/** Returns a folder that has not been scanned yet. */
export function createFolder(place: Pick<Folder, 'path' | 'inside' | 'parent' | 'scope' | 'rules'>): Folder {
  return {
    ...place,
    signature: undefined,
    rulesSignature: '',
    inode: 0,
    device: 0,
    files: new Map(),
    extras: new Map(),
    folders: new Map(),
  };
}
