import { dirname, join } from 'node:path';
import type { Call } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { limits } from '../../../core/limits.ts';
import { Pace } from '../../../core/runtime/slices.ts';
import { folderStamp } from '../../../platform/files/folder-facts.ts';
import { importedModules, isPython } from '../../../source-text/imports.ts';
import {
  isRelative,
  pythonFilesAt,
  scriptFilesAt,
  splitPythonModule,
} from '../../../source-text/packages/module-files.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import type { Workspace } from '../../../workspace/workspace.ts';

/**
 * Makes the workspace watch the ignored files that sources import, such as generated code and the built files of another
 * package: servers read them, and nobody else would notice that they change.
 */
export class ImportedFiles {
  readonly #workspace: Workspace;
  /** By file, for the generation of the disk in which it was searched. */
  readonly #found = new Map<string, Imports>();
  readonly #watched = new Set<string>();
  /** Files that imports of the files of `watchAll` mean and that are not there. */
  readonly #missing = new Set<string>();
  /** What tells whether something was made in the folders of the missing files. */
  #stamps = new Map<string, string>();
  #generation = -1;
  #files: ReadonlySet<string> = new Set();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Watches what a file imports, itself and through others. If something new is watched, the barrier is passed again. */
  async watch(file: string, call: Call): Promise<readonly Doubt[]> {
    this.#forgetIfChanged();
    const known = this.#found.get(file);
    // A file that was missing may have been made meanwhile, which nobody noticed.
    const isMade = known && [...known.missing].some((path) => this.#workspace.isSaved(path));
    const imports = known && !isMade ? known : await this.#search(file);
    this.#found.set(file, imports);
    const fresh = [...imports.ignored].filter((path) => !this.#watched.has(path));
    if (fresh.length > 0 || isMade) {
      for (const path of fresh) this.#watched.add(path);
      // Servers may have read them before: they count as changed, which is no reason to search again.
      await this.#workspace.barrier(call);
      this.#generation = this.#workspace.generation();
    }
    return imports.isCut ? [tooMany] : [];
  }

  /**
   * Like `watch`, but for files of the workspace, and without those that they import from it: each of them is given too,
   * in this call or an earlier one.
   */
  async watchAll(files: readonly string[], call: Call): Promise<readonly Doubt[]> {
    this.#forgetIfChanged();
    const isMade = await this.#readMade();
    const ignored = new Set<string>();
    const pace = new Pace();
    for (const file of isMade ? this.#files : files) {
      if (pace.isLate()) await pace.rest();
      for (const path of await this.#importedBeside(file)) ignored.add(path);
    }
    const isCut = this.#missing.size >= limits.check.missing || ignored.size > limits.imports.ignored;
    const fresh = [...ignored].slice(0, limits.imports.ignored);
    for (const path of fresh) for (const behind of (await this.#search(path)).ignored) ignored.add(behind);
    const unwatched = [...ignored].filter((path) => !this.#watched.has(path));
    for (const path of unwatched) this.#watched.add(path);
    if (unwatched.length > 0 || isMade) {
      await this.#workspace.barrier(call);
      this.#generation = this.#workspace.generation();
    }
    await this.#rememberMissing();
    return isCut ? [tooMany] : [];
  }

  /** Reads the missing files that were made: whoever has read a file is told of its changes. Returns whether there are any. */
  async #readMade(): Promise<boolean> {
    const made = this.mayBeMade ? [...this.#missing].filter((path) => this.#workspace.isSaved(path)) : [];
    if (made.length > 0) this.#missing.clear();
    for (const path of made) await this.#workspace.read(path).catch(() => undefined);
    return made.length > 0;
  }

  async #rememberMissing(): Promise<void> {
    for (const path of (await this.#workspace.packages()).missing) this.#missing.add(path);
    this.#stamps = new Map([...this.#missing].map((path) => [dirname(path), '']));
    for (const folder of this.#stamps.keys()) this.#stamps.set(folder, folderStamp(folder));
  }

  /** True if one of the files may have been made that imports mean and that were not there. */
  get mayBeMade(): boolean {
    return [...this.#stamps].some(([folder, stamp]) => folderStamp(folder) !== stamp);
  }

  /** Returns the ignored files that a file of the workspace imports; notes what it imports and is not there. */
  async #importedBeside(file: string): Promise<readonly string[]> {
    const document = await this.#workspace.read(file).catch(() => undefined);
    if (!document) return [];
    const missing = new Set<string>();
    const reached = await this.#imported(document, missing, (module) => !isBeside(module, file, this.#files));
    if (this.#missing.size < limits.check.missing) for (const path of missing) this.#missing.add(path);
    return reached.filter((path) => !this.#files.has(path));
  }

  #forgetIfChanged(): void {
    const generation = this.#workspace.generation();
    if (generation === this.#generation) return;
    this.#generation = generation;
    this.#found.clear();
    this.#files = new Set(this.#workspace.files());
  }

  async #search(file: string): Promise<Imports> {
    const ignored = new Set<string>();
    const missing = new Set<string>();
    const queue = new Set([file]);
    // The queue grows during the loop.
    for (const path of queue) {
      if (queue.size > limits.imports.files || ignored.size > limits.imports.ignored)
        return { ignored, missing, isCut: true };
      const document = await this.#workspace.read(path).catch(() => undefined);
      if (!document) continue;
      if (!this.#files.has(path)) ignored.add(path);
      for (const reached of await this.#imported(document, missing)) queue.add(reached);
    }
    return { ignored, missing, isCut: false };
  }

  /** Returns the files that a document imports. Those that are not there yet are added to `missing`. */
  async #imported(
    { path, text }: Document,
    missing: Set<string>,
    isMeant: (module: string) => boolean = () => true,
  ): Promise<readonly string[]> {
    const packages = await this.#workspace.packages();
    const reached: string[] = [];
    for (const module of importedModules(path, text).filter(isMeant)) {
      const sources = packages.sources(module, path);
      const built = packages.builtFiles(module).filter((file) => !this.#files.has(file));
      const beside = sources.length > 0 ? [] : candidates(module, path);
      const there = [...built, ...beside].filter(
        (file) => !missing.has(file) && this.#workspace.isSaved(file),
      );
      // What is built wins over its source: that is what a server reads.
      reached.push(...(there.length > 0 ? there : sources));
      const wanted = module.startsWith('.') ? [...built, ...beside] : built;
      if (there.length === 0) for (const file of wanted) missing.add(file);
    }
    return reached;
  }
}

interface Imports {
  readonly ignored: ReadonlySet<string>;
  /** Files that an import means and that are not there: one of them may be made. */
  readonly missing: ReadonlySet<string>;
  /** There are more than can be watched. */
  readonly isCut: boolean;
}

const tooMany: Doubt = {
  kind: 'watch_lost',
  detail: 'So much is imported that not all ignored files behind it are watched.',
};

/** True if a relative import leads to a script of the workspace: a quick answer to the most frequent question. */
function isBeside(module: string, from: string, files: ReadonlySet<string>): boolean {
  if (isPython(from) || !isRelative(module)) return false;
  const bare = join(dirname(from), module).replace(/\.[cm]?jsx?$/, '');
  return ['.ts', '.tsx'].some((ending) => files.has(`${bare}${ending}`));
}

/** Returns the files that a module may mean besides those of the workspace. */
function candidates(module: string, from: string): readonly string[] {
  if (!isPython(from)) return isRelative(module) ? [...scriptFilesAt(join(dirname(from), module))] : [];
  const { folder = dirname(from), parts } = splitPythonModule(module, from);
  return pythonFilesAt(folder, parts);
}
