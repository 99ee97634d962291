import { existsSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { isPathWithin } from '../../../platform/files/path-within.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';
import { languageOf } from '../../../servers/language-of.ts';
import { changesFiles } from '../../../workspace/freshness/change-set.ts';
import type { Change, Workspace } from '../../../workspace/workspace.ts';

/** Decides where a definition applies: below certain files, in roots with certain files, or everywhere. */
export class ServerScope {
  readonly #vicinity = new FoldersAround(existsSync);
  readonly #kinds: FileKindsPresent;

  constructor(workspace: Workspace) {
    this.#kinds = new FileKindsPresent(workspace);
  }

  /** Returns whether it serves files in the folder of this one. */
  includes({ files, projects }: ServerDefinition, path: string, root: string): boolean {
    const { onlyBelow, onlyWithExtensions } = files ?? {};
    const { rootFolder } = projects ?? {};
    if (rootFolder !== undefined && !isPathWithin(resolve(root, rootFolder), path)) return false;
    const isBelow = onlyBelow === undefined || this.#vicinity.holds(path, root, onlyBelow);
    return isBelow && (onlyWithExtensions === undefined || this.#kinds.holds(root, onlyWithExtensions));
  }

  /** True if it has files in the root that import this one and that the servers of this one do not see. */
  hasImporters(definition: ServerDefinition, path: string, root: string): boolean {
    if (!definition.files?.importedExtensions?.includes(extname(path).slice(1))) return false;
    const isOwn = languageOf(path, definition) !== undefined;
    return !isOwn && this.#kinds.holds(root, Object.keys(definition.extensions));
  }

  note(changes: readonly Change[]): void {
    this.#vicinity.note(changes);
    this.#kinds.note(changes);
  }
}

/** Checks whether a file is below a folder that contains one of some names; caches until files come or go. */
class FoldersAround {
  readonly #exists: (path: string) => boolean;
  readonly #known = new Map<string, boolean>();

  constructor(exists: (path: string) => boolean) {
    this.#exists = exists;
  }

  /** Looks in the folder of the file and its parents, up to the root. */
  holds(file: string, root: string, names: readonly string[]): boolean {
    return this.#above(dirname(file), root, names);
  }

  note(changes: readonly Change[]): void {
    if (changes.some(({ kind }) => kind !== 'changed')) this.#known.clear();
  }

  #above(folder: string, root: string, names: readonly string[]): boolean {
    if (!isPathWithin(root, folder)) return false;
    const key = `${folder}\0${names.join('\0')}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found =
      names.some((name) => this.#exists(join(folder, name))) ||
      (folder !== dirname(folder) && this.#above(dirname(folder), root, names));
    this.#known.set(key, found);
    return found;
  }
}

/** Checks whether a root has files of some extensions; caches until files come or go. */
class FileKindsPresent {
  readonly #workspace: Workspace;
  #known: Map<string, Set<string>> | undefined;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  holds(root: string, extensions: readonly string[]): boolean {
    const present = this.#all().get(root);
    return extensions.some((extension) => present?.has(`.${extension}`));
  }

  note(changes: readonly Change[]): void {
    if (changesFiles(changes)) this.#known = undefined;
  }

  #all(): ReadonlyMap<string, ReadonlySet<string>> {
    if (this.#known) return this.#known;
    this.#known = new Map(this.#workspace.roots.map((root) => [root, new Set()]));
    for (const path of this.#workspace.files()) {
      this.#known.get(this.#workspace.rootOf(path) ?? '')?.add(extname(path));
    }
    return this.#known;
  }
}
