import { isBuiltin } from 'node:module';
import path from 'node:path';
import { limits } from '../../core/limits.ts';
import { BoundedCache } from '../../core/runtime/bounded-cache.ts';
import { groupBy } from '../../core/runtime/group-by.ts';
import { isPython } from '../imports.ts';
import { wordsOf } from '../words.ts';
import { type CompilerOptions, pathsFor, type ReadFile, readCompilerOptions } from './compiler-options.ts';
import { isForeignToGo, readGoModules } from './go-modules.ts';
import { isRelative, scriptFilesAt } from './module-files.ts';
import { entriesOf, innerImport, type Package, readPackage } from './package-manifest.ts';
import { type InstalledName, PythonModules, readInstalledNames } from './python-modules.ts';

/** The packages of a workspace: they lead from a module to its source, even if nothing is installed or built. */
export class Packages {
  readonly #files: ReadonlySet<string>;
  readonly #byName: ReadonlyMap<string, readonly Package[]>;
  readonly #byFolder: readonly Package[];
  readonly #options: ReadonlyMap<string, readonly CompilerOptions[]>;
  readonly #installed: readonly InstalledName[];
  /** The paths of the modules of Go. */
  readonly #ofGo: readonly string[];
  /** Configurations that others name and that are not there. */
  readonly missing: readonly string[];
  readonly #sources = new BoundedCache<readonly string[]>({ count: limits.imports.resolved });
  #python: PythonModules | undefined;

  private constructor(
    files: ReadonlySet<string>,
    packages: readonly Package[],
    options: readonly CompilerOptions[],
    installed: readonly InstalledName[],
    ofGo: readonly string[],
    missing: readonly string[],
  ) {
    this.#files = files;
    this.missing = missing;
    this.#installed = installed;
    this.#ofGo = ofGo;
    this.#byName = groupBy(packages, ({ name = '' }) => name);
    this.#byFolder = [...packages].sort((a, b) => b.folder.length - a.folder.length);
    this.#options = groupBy(options, ({ folder }) => folder);
  }

  /** Reads every `package.json`, every configuration of the compiler, and the manifests of Python and Go. */
  static async read(files: Iterable<string>, read: ReadFile): Promise<Packages> {
    const known = new Set(files);
    const missing: string[] = [];
    const readOrNote = async (file: string) => {
      const text = await read(file);
      if (text === undefined) missing.push(file);
      return text;
    };
    const manifests = [...known].filter((file) => path.basename(file) === 'package.json');
    const packages = await Promise.all(manifests.map((file) => readPackage(file, read)));
    const folders = new Map(packages.map(({ name = '', folder }) => [name, folder]));
    // A shared configuration may be a package of the workspace that is not linked.
    const options = await readCompilerOptions(known, readOrNote, (config) => {
      const { name, below } = splitModule(config);
      const folder = folders.get(name);
      return folder && path.join(folder, below === '' ? 'tsconfig.json' : below);
    });
    const installed = await readInstalledNames(known, read);
    return new Packages(known, packages, options, installed, await readGoModules(known, read), missing);
  }

  /** True if a file is one of the workspace, and not ignored. */
  has(file: string): boolean {
    return this.#files.has(file);
  }

  /** Returns the source files that a module means to the file that imports it. */
  sources(module: string, from: string): readonly string[] {
    // Files of a folder mean the same by a module, and many import it.
    const key = `${isPython(from) ? 'py' : ''} ${path.dirname(from)} ${module}`;
    const known = this.#sources.get(key);
    if (known) return known;
    const found = this.#find(module, from);
    this.#sources.set(key, found);
    return found;
  }

  #find(module: string, from: string): readonly string[] {
    if (isPython(from)) return this.#pythonModules().sources(module, from);
    if (isRelative(module)) return this.#sourcesAt(path.join(path.dirname(from), module));
    if (module.startsWith('#')) {
      const owner = this.#ownerOf(from);
      const targets = owner ? innerImport(owner, module) : [];
      const found = targets.flatMap((one) =>
        isRelative(one) ? this.#sourcesAt(path.join(owner?.folder ?? '', one)) : this.sources(one, from),
      );
      if (found.length > 0) return [...new Set(found)];
    }
    const mapped = this.#mapped(module, from);
    return mapped.length > 0 ? mapped : this.#ofPackages(module, from);
  }

  /** Returns what the configurations of the compiler around a file say that a module means. */
  #mapped(module: string, from: string): readonly string[] {
    for (const options of this.#optionsAround(from)) {
      const found = options.flatMap((one) => pathsFor(module, one).flatMap((at) => this.#sourcesAt(at)));
      if (found.length > 0) return [...new Set(found)];
    }
    return [];
  }

  /** True if a configuration of the compiler, and no name of a package, leads from a module to a source. */
  isAlias(module: string, from: string): boolean {
    return !this.#byName.has(splitModule(module).name) && this.#mapped(module, from).length > 0;
  }

  #ofPackages(module: string, from: string): readonly string[] {
    const { name, below } = splitModule(module);
    const found = this.#packagesCalled(name, from).flatMap((one) => this.#sourcesIn(one, below));
    if (found.length > 0) return [...new Set(found)];
    for (const options of this.#optionsAround(from)) {
      const based = options.flatMap(({ baseUrl }) =>
        baseUrl ? this.#sourcesAt(path.join(baseUrl, module)) : [],
      );
      if (based.length > 0) return [...new Set(based)];
    }
    return [];
  }

  /** Several packages may have the same name, such as one in a fixture. */
  #packagesCalled(name: string, from: string): readonly Package[] {
    const called = this.#byName.get(name);
    if (called) return called;
    const linked = this.#ownerOf(from)?.linked.get(name);
    if (linked?.name !== undefined) return this.#byName.get(linked.name) ?? [];
    return this.#byFolder.filter(({ folder }) => folder === linked?.folder);
  }

  /** Yields the configurations in the folder of a file, then those above. */
  *#optionsAround(file: string): Iterable<readonly CompilerOptions[]> {
    for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
      const found = this.#options.get(folder);
      if (found) yield found;
      if (folder === path.dirname(folder)) return;
    }
  }

  #ownerOf(file: string): Package | undefined {
    return this.#byFolder.find(({ folder }) => file.startsWith(`${folder}${path.sep}`));
  }

  #sourcesIn(found: Package, below: string): readonly string[] {
    const built = entriesOf(found, below === '' ? '.' : `.${below}`);
    const sources = built.flatMap((entry) => this.sourcesOfBuilt(path.join(found.folder, entry)));
    if (sources.length > 0 || below !== '') return sources;
    return ['src/index', 'index', 'src/main', 'lib/index']
      .flatMap((one) => this.#filesAt(path.join(found.folder, one)))
      .slice(0, 1);
  }

  #pythonModules(): PythonModules {
    this.#python ??= new PythonModules(this.#files, this.#installed);
    return this.#python;
  }

  /** Returns the files that a package of the workspace names as its entries, whether they are there or not. */
  builtFiles(module: string): readonly string[] {
    const { name, below } = splitModule(module);
    return (this.#byName.get(name) ?? []).flatMap((one) =>
      entriesOf(one, below === '' ? '.' : `.${below}`).map((entry) => path.join(one.folder, entry)),
    );
  }

  /** True if a module is known not to be of this workspace: a package that a manifest requires, or one of the runtime. */
  isForeign(module: string, from: string): boolean {
    if (isPython(from)) return this.#pythonModules().isForeign(module);
    if (from.endsWith('.go')) return isForeignToGo(module, this.#ofGo);
    const { name } = splitModule(module);
    if (/^[.#]/.test(name) || this.#byName.has(name)) return false;
    if (isBuiltin(module) || /^\w+:/.test(module)) return true;
    return this.#byFolder.some(({ required }) => required.has(name));
  }

  /** Returns the source files from which a file of a package may be built, or the file itself if it is a source. */
  sourcesOfBuilt(file: string): readonly string[] {
    if (this.#files.has(file)) return [file];
    const bare = file.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '');
    for (const stem of this.#stemsOf(bare)) {
      const found = this.#filesAt(stem);
      if (found.length > 0) return found;
    }
    return [];
  }

  /** Yields the paths, without ending, of which a built path may be made. */
  *#stemsOf(bare: string): Iterable<string> {
    const owner = this.#ownerOf(bare);
    for (const options of this.#optionsAround(bare))
      for (const { folder, outDir, rootDir } of options) {
        if (outDir === undefined || !bare.startsWith(`${outDir}${path.sep}`)) continue;
        const below = bare.slice(outDir.length + 1);
        for (const root of rootDir === undefined ? [path.join(folder, 'src'), folder] : [rootDir])
          yield path.join(root, below);
      }
    if (owner === undefined) return;
    for (const stem of sourceStems(path.relative(owner.folder, bare))) yield path.join(owner.folder, stem);
  }

  /** Returns the file that a path without or with another ending means, or its source if it is built. */
  #sourcesAt(reached: string): readonly string[] {
    const found = this.#filesAt(reached);
    return found.length > 0 ? found : this.sourcesOfBuilt(reached);
  }

  #filesAt(reached: string): readonly string[] {
    for (const file of scriptFilesAt(reached)) if (this.#files.has(file)) return [file];
    return [];
  }

  /** Returns names of which every import of a file has one: that of its package, of itself, or one given by `paths`. */
  namesOf(file: string): readonly string[] {
    const stem = stemOf(file);
    const names = isIndex(stem) ? [path.basename(path.dirname(file)), stem] : [stem];
    const owner = this.#ownerOf(file);
    if (owner?.name !== undefined) names.push(owner.name);
    for (const { linked } of this.#byFolder)
      for (const [alias, { name, folder }] of linked)
        if (
          (name !== undefined && name === owner?.name) ||
          (folder !== undefined && folder === owner?.folder)
        )
          names.push(alias);
    for (const options of this.#options.values())
      for (const { paths } of options) names.push(...paths.map(({ pattern }) => pattern.replaceAll('*', '')));
    if (owner) names.push(...Object.keys(owner.manifest.imports ?? {}).map((one) => one.replaceAll('*', '')));
    return [...new Set(names)].filter((name) => wordsOf(name).length > 0);
  }

  /** Returns the files that may import an index file as `.` or `..`, which has no name. */
  besides(file: string): readonly string[] {
    if (!isIndex(stemOf(file))) return [];
    const folder = path.dirname(file);
    return [...this.#files].filter(
      (one) => path.dirname(one) === folder || path.dirname(path.dirname(one)) === folder,
    );
  }

  /** True if a module that leads nowhere ends like the path of a file. */
  isCalledLike(module: string, file: string): boolean {
    const last = stemOf(module);
    const stem = stemOf(file);
    return last === stem || (isIndex(stem) && last === path.basename(path.dirname(file)));
  }
}

function stemOf(file: string): string {
  return path.basename(file).replace(/\..*$/, '');
}

function isIndex(stem: string): boolean {
  return stem === 'index' || stem === 'main';
}

/** Returns the package of a module, and the rest with its slash: `@x/a` and `/sub` of `@x/a/sub`. */
function splitModule(module: string): { readonly name: string; readonly below: string } {
  const [, name = '', below = ''] = /^((?:@[^/]+\/)?[^/]+)(\/.*)?$/.exec(module) ?? [];
  return { name, below };
}

/** Folders that are usually built, and those for kinds of modules below them. */
const built = /^(?:dist|lib|build|out|es|esm|cjs|types|typings)\//;
const builtKinds = /^(?:es|esm|cjs|types|src|node|browser|lib)\//;

function sourceStems(bare: string): string[] {
  const below = bare.replace(built, '');
  if (below === bare) return [bare];
  const stems = [...new Set([below, below.replace(builtKinds, '')])];
  return stems.flatMap((stem) => [path.join('src', stem), path.join('lib', stem), stem]);
}
