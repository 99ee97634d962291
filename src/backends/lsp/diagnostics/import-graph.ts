import { basename, join } from 'node:path';
import { Pace } from '../../../core/runtime/slices.ts';
import {
  type FileDependencies,
  hasKnownDependencies,
  keysOfFile,
  nameOfModule,
  namesOfFile,
  readDependencies,
} from '../../../source-text/packages/dependencies.ts';
import type { Packages } from '../../../source-text/packages/packages.ts';
import type { Change, Workspace } from '../../../workspace/workspace.ts';

/** The files whose problems may have changed. */
export interface Affected {
  /** Those that changed, and those that may depend on them. */
  readonly files: ReadonlySet<string>;
  /** True if any other file may depend on them too. */
  readonly isAnywhere: boolean;
}

/** What is known of one file: what it imports, and whom a change concerns. */
interface Node {
  readonly keys: ReadonlySet<string>;
  readonly isGlobal: boolean;
  /** True if it imports something that leads to no known file, so that each change may be about that. */
  readonly isOpenEnded: boolean;
}

/**
 * Knows from the texts of files which others may import them, so that after a change only the problems of those are
 * asked for again. Where a text does not tell, the file counts as a dependent of every other.
 */
export class ImportGraph {
  readonly #workspace: Workspace;
  readonly #nodes = new Map<string, Node>();
  readonly #importers = new Map<string, Set<string>>();
  readonly #readSince = new Set<string>();
  #packages: Promise<Packages> | undefined;
  /** Virtual folders let a relative import lead anywhere. */
  #hasVirtualFolders = false;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Reads the files that are not known yet; yields now and then, because a server is started and asked meanwhile. */
  async learn(files: Iterable<string>): Promise<void> {
    const unknown = [...files].filter((file) => !this.#nodes.has(file) && hasKnownDependencies(file));
    const pace = new Pace();
    for (const file of unknown) {
      if (pace.isLate()) await pace.rest();
      if (!this.#nodes.has(file)) await this.#read(file);
    }
  }

  /** Returns the files that were read since this was last called. */
  takeRead(): readonly string[] {
    const read = [...this.#readSince];
    this.#readSince.clear();
    return read;
  }

  /** Forgets everything that depends on which files there are and on configurations. */
  forgetResolution(): void {
    this.#packages = undefined;
    for (const [file, node] of this.#nodes) if (node.isOpenEnded) this.#forget(file);
  }

  /** Forgets all files, as after a change of a configuration that decides where imports lead. */
  forgetAll(): void {
    this.#packages = undefined;
    this.#nodes.clear();
    this.#importers.clear();
  }

  /** Reads changed files again, and returns which problems may have changed with them. */
  async afterChanges(changes: readonly Change[]): Promise<Affected> {
    if (changes.length === 0) return { files: new Set(), isAnywhere: false };
    const files = new Set<string>();
    let isAnywhere = this.#hasVirtualFolders;
    for (const change of changes) {
      if (await this.#isGlobal(change)) isAnywhere = true;
      files.add(change.path);
      if (change.kind !== 'changed')
        for (const other of this.#importersBy(namesOfFile(change.path))) files.add(other);
    }
    for (const [file, node] of this.#nodes) if (node.isOpenEnded) files.add(file);
    // The set grows during the loop.
    for (const file of files) for (const other of this.#importersBy(keysOfFile(file))) files.add(other);
    return { files, isAnywhere };
  }

  /** Reads a changed file again; returns whether files that do not import it may use it, or have used it before. */
  async #isGlobal({ path, kind }: Change): Promise<boolean> {
    const before = this.#nodes.get(path);
    const isKnown = hasKnownDependencies(path);
    const now = isKnown ? await this.#read(path) : undefined;
    // What a text was that nobody has read is not known.
    return now?.isGlobal === true || (before?.isGlobal ?? (isKnown && kind !== 'created'));
  }

  #importersBy(keys: readonly string[]): readonly string[] {
    return keys.flatMap((key) => [...(this.#importers.get(key) ?? [])]);
  }

  /** Returns those of some files that others import, directly or through each other. */
  importedAmong(files: Iterable<string>, isImporting: (path: string) => boolean): ReadonlySet<string> {
    const [left, reached] = [new Set(files), new Set<string>()];
    const isReached = (file: string) =>
      this.#importersBy(keysOfFile(file)).some(
        (other) => other !== file && (isImporting(other) || reached.has(other)),
      );
    for (let isMore = true; isMore; ) {
      const found = [...left].filter(isReached);
      isMore = found.length > 0;
      for (const file of found) {
        left.delete(file);
        reached.add(file);
      }
    }
    return reached;
  }

  /** True if the dependencies of a file are known, so that it is left out of `afterChanges` with reason. */
  knows(file: string): boolean {
    return this.#nodes.has(file);
  }

  async #read(file: string): Promise<Node | undefined> {
    this.#forget(file);
    const document = await this.#workspace.read(file).catch(() => undefined);
    if (!document) return undefined;
    const packages = await this.#resolution();
    const read = readDependencies(file, document.text);
    const { keys, isOpenEnded } = resolve(file, read, packages);
    const node = { keys, isGlobal: read.isGlobal, isOpenEnded };
    this.#nodes.set(file, node);
    this.#readSince.add(file);
    for (const key of keys) {
      const importers = this.#importers.get(key) ?? new Set();
      this.#importers.set(key, importers.add(file));
    }
    return node;
  }

  #forget(file: string): void {
    for (const key of this.#nodes.get(file)?.keys ?? []) this.#importers.get(key)?.delete(file);
    this.#nodes.delete(file);
  }

  #resolution(): Promise<Packages> {
    this.#packages ??= this.#readPackages();
    return this.#packages;
  }

  async #readPackages(): Promise<Packages> {
    const read = async (path: string) => (await this.#workspace.read(path).catch(() => undefined))?.text;
    const files = [...this.#workspace.files()];
    const configurations = files.filter((file) => /^[jt]sconfig.*\.json$/.test(basename(file)));
    const texts = await Promise.all(configurations.map(read));
    this.#hasVirtualFolders = texts.some((text) => text?.includes('"rootDirs"') === true);
    return this.#workspace.packages();
  }
}

/** Adds the files that modules lead to by packages and configurations. */
function resolve(
  file: string,
  { keys, modules }: FileDependencies,
  packages: Packages,
): { readonly keys: ReadonlySet<string>; readonly isOpenEnded: boolean } {
  const all = new Set(keys);
  // The manifest of an imported folder may lead to any file below it.
  let isOpenEnded = [...keys].some((key) => packages.has(join(key, 'package.json')));
  for (const module of modules) {
    const reached = [...packages.sources(module, file), ...packages.builtFiles(module)];
    for (const one of reached) all.add(one);
    // A file that is made later may be what the module means then.
    if (reached.length > 0) all.add(nameOfModule(module));
    if (reached.length === 0 && !packages.isForeign(module, file)) isOpenEnded = true;
  }
  return { keys: all, isOpenEnded };
}
