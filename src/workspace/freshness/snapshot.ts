import path from 'node:path';
import { limits } from '../../core/limits.ts';
import { isStagingName } from '../../core/staging-names.ts';
import type { IgnoreRules } from './ignore-rules.ts';

/** What counts in a folder: all that is not ignored; only what was asked for; or whatever it lists, but not deeper. */
export type FolderScope = 'all' | 'asked' | 'listed';

/** A folder as it was when last looked at. */
export interface Folder {
  readonly path: string;
  /** Relative to its root, with `/`; empty for the root itself. */
  readonly inside: string;
  readonly parent: Folder | undefined;
  readonly scope: FolderScope;
  rules: IgnoreRules;
  /** Of the folder itself; absent when it has to be listed again. */
  signature: string | undefined;
  /** The signature of its own rule files when they were read; empty when it has none. */
  ruled: string;
  inode: number;
  device: number;
  /** Signatures of the regular files that are not ignored, by name. */
  readonly files: Map<string, string>;
  /** Signatures of what is told about but not listed: links, and files that were asked for though ignored. */
  readonly extras: Map<string, string>;
  readonly folders: Map<string, Folder>;
}

/** The workspace's files as of the latest barrier. */
export class Snapshot {
  readonly #folders = new Map<string, Folder>();
  /** Entries that may repeat their signature after one more change. */
  readonly unsettled = new Set<string>();
  #entries = 0;
  /** Something was left out because the bound was reached. */
  overflowed = false;

  get folders(): Iterable<Folder> {
    return this.#folders.values();
  }

  /** Whether a folder is still part of the snapshot. */
  holds(folder: Folder): boolean {
    return this.#folders.get(folder.path) === folder;
  }

  folder(absolute: string): Folder | undefined {
    return this.#folders.get(absolute);
  }

  /** Whether changes to this path are told about. */
  has(absolute: string): boolean {
    const folder = this.#folders.get(path.dirname(absolute));
    const name = path.basename(absolute);
    return folder !== undefined && (folder.files.has(name) || folder.extras.has(name));
  }

  isFile(absolute: string): boolean {
    return this.#folders.get(path.dirname(absolute))?.files.has(path.basename(absolute)) ?? false;
  }

  /** Whether a file at this path would be one of the files, were it there: nothing says that it is ignored. */
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

  /** Files of this name, in the order of their paths. */
  named(name: string, most: number): string[] {
    const found = [...this.#folders.values()].filter((folder) => folder.files.has(name));
    return found
      .map((folder) => pathIn(folder, name))
      .sort()
      .slice(0, most);
  }

  /** Whether one more entry fits within the bound. */
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
    if (!folder.files.has(name) && !folder.extras.has(name)) this.#entries++;
    folder[list === 'files' ? 'extras' : 'files'].delete(name);
    folder[list].set(name, signature);
  }

  /** Drops an entry; tells whether there was one. */
  removeEntry(folder: Folder, name: string): boolean {
    const known = folder.files.delete(name) || folder.extras.delete(name);
    if (!known) return false;
    this.#entries--;
    this.unsettled.delete(pathIn(folder, name));
    return true;
  }
}

/** The path of a name in a folder. */
export function pathIn(folder: Folder, name: string): string {
  return folder.path.endsWith(path.sep) ? folder.path + name : folder.path + path.sep + name;
}

/** The path of a name in a folder, relative to the root, as rules and globs see it. */
export function insideOf(folder: Folder, name: string): string {
  return folder.inside === '' ? name : `${folder.inside}/${name}`;
}

/** A folder that has not been looked at yet. */
export function createFolder(place: Pick<Folder, 'path' | 'inside' | 'parent' | 'scope' | 'rules'>): Folder {
  const { path: absolute, inside, parent, scope, rules } = place;
  return {
    path: absolute,
    inside,
    parent,
    scope,
    rules,
    signature: undefined,
    ruled: '',
    inode: 0,
    device: 0,
    files: new Map(),
    extras: new Map(),
    folders: new Map(),
  };
}
