import { isBuiltin } from 'node:module';
import path from 'node:path';
import { parse as parseJson } from 'jsonc-parser';
import { groupBy } from '../core/runtime/group-by.ts';
import { isRecord, type Json, object } from '../core/runtime/json.ts';
import { isPython } from './imports.ts';

/** Reads a file of the workspace; `undefined` if there is none. */
type ReadText = (file: string) => Promise<string | undefined>;

/** The packages of a workspace: they lead from a module to its source, even if nothing is installed or built. */
export class Packages {
  readonly #files: ReadonlySet<string>;
  readonly #byName: ReadonlyMap<string, readonly Package[]>;
  readonly #byFolder: readonly Package[];
  #python: PythonModules | undefined;

  private constructor(files: ReadonlySet<string>, packages: readonly Package[]) {
    this.#files = files;
    this.#byName = groupBy(packages, ({ name = '' }) => name);
    this.#byFolder = [...packages].sort((a, b) => b.folder.length - a.folder.length);
  }

  /** Reads every `package.json`, and the `tsconfig.json` beside it. */
  static async read(files: Iterable<string>, read: ReadText): Promise<Packages> {
    const known = new Set(files);
    const manifests = [...known].filter((file) => path.basename(file) === 'package.json');
    return new Packages(known, await Promise.all(manifests.map((file) => readPackage(file, read))));
  }

  /** True if a file is one of the workspace, and not ignored. */
  has(file: string): boolean {
    return this.#files.has(file);
  }

  /** Returns the source files that a module means to the file that imports it. */
  sources(module: string, from: string): readonly string[] {
    if (isPython(from)) return pythonSources(module, from, this.#pythonModules());
    if (/^\.{1,2}(?:\/|$)/.test(module)) return this.#filesAt(path.join(path.dirname(from), module));
    const { name, below } = splitModule(module);
    // Several packages may have the same name, such as one in a fixture.
    const found = this.#byName.get(name) ?? [];
    return [...new Set(found.flatMap((one) => this.#sourcesIn(one, below)))];
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
    this.#python ??= readPythonModules(this.#files);
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
    if (isPython(from)) {
      const [first = ''] = module.split('.');
      return first !== '' && !this.#pythonModules().names.has(first);
    }
    const { name } = splitModule(module);
    if (name.startsWith('.') || this.#byName.has(name)) return false;
    if (isBuiltin(module) || /^\w+:/.test(module)) return true;
    return this.#byFolder.some(({ required }) => required.has(name));
  }

  /** Returns the source files from which a file of a package may be built, or the file itself if it is a source. */
  sourcesOfBuilt(file: string): readonly string[] {
    if (this.#files.has(file)) return [file];
    const owner = this.#byFolder.find(({ folder }) => file.startsWith(`${folder}${path.sep}`));
    if (!owner) return [];
    const inside = path.relative(owner.folder, file);
    const bare = inside.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '');
    const stems =
      owner.output === undefined ? sourceStems(bare) : [underSource(bare, owner), ...sourceStems(bare)];
    const found = stems
      .map((stem) => this.#filesAt(path.join(owner.folder, stem)))
      .find((one) => one.length > 0);
    return found ?? [];
  }

  /** Returns the file that a path without or with another ending means. */
  #filesAt(reached: string): readonly string[] {
    const bare = reached.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '');
    const found = [
      reached,
      ...endings.map((ending) => `${bare}${ending}`),
      ...endings.map((ending) => path.join(reached, `index${ending}`)),
    ].find((one) => this.#files.has(one));
    return found === undefined ? [] : [found];
  }
}

/** Returns the package of a module, and the rest with its slash: `@x/a` and `/sub` of `@x/a/sub`. */
function splitModule(module: string): { readonly name: string; readonly below: string } {
  const [, name = '', below = ''] = /^((?:@[^/]+\/)?[^/]+)(\/.*)?$/.exec(module) ?? [];
  return { name, below };
}

const endings = '.ts .tsx .mts .cts .js .jsx .mjs .cjs .d.ts .vue .svelte'.split(' ');

interface Package {
  readonly folder: string;
  readonly name: string | undefined;
  readonly manifest: Json;
  /** Names of the packages that it depends on. */
  readonly required: ReadonlySet<string>;
  /** Where the compiler writes, and from where it reads, relative to the folder. */
  readonly output?: string;
  readonly source: string;
}

async function readPackage(file: string, read: ReadText): Promise<Package> {
  const folder = path.dirname(file);
  const manifest = parse(await read(file));
  const options = parse(await read(path.join(folder, 'tsconfig.json'))).compilerOptions;
  const [output, source] = isRecord(options) ? [options.outDir, options.rootDir] : [];
  const { name } = manifest;
  return {
    folder,
    name: typeof name === 'string' ? name : undefined,
    manifest,
    required: new Set(dependencies.flatMap((key) => requiredIn(object(manifest[key])))),
    ...(typeof output === 'string' ? { output: path.normalize(output).replace(/\/$/, '') } : {}),
    source: typeof source === 'string' ? path.normalize(source).replace(/\/$/, '') : 'src',
  };
}

const dependencies = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

/** A dependency that leads to another folder may be a package of the workspace under another name. */
function requiredIn(listed: Json): string[] {
  const isLink = (version: unknown) => /^(?:file|link|portal|workspace|npm):/.test(String(version));
  return Object.entries(listed).flatMap(([name, version]) => (isLink(version) ? [] : [name]));
}

/** A file that is missing, or broken, is as good as an empty one. */
function parse(text: string | undefined): Json {
  return object(parseJson(text ?? '{}'));
}

/** Returns the files that a package names as its entry, for any condition. */
function entriesOf({ manifest }: Package, subpath: string): string[] {
  const { exports, main, module, types, typings } = manifest;
  const named = exports === undefined ? [] : leavesOf(exportOf(exports, subpath));
  if (subpath !== '.') return exports === undefined ? [subpath] : named;
  return [...named, ...leavesOf([types, typings, module, main])];
}

function exportOf(exports: unknown, subpath: string): unknown {
  const isMap = isRecord(exports) && Object.keys(exports).some((key) => key.startsWith('.'));
  if (!isMap) return subpath === '.' ? exports : undefined;
  if (subpath in exports) return exports[subpath];
  for (const [key, value] of Object.entries(exports)) {
    const [before = '', after = ''] = key.split('*');
    if (!key.includes('*') || !subpath.startsWith(before) || !subpath.endsWith(after)) continue;
    const middle = subpath.slice(before.length, subpath.length - after.length);
    return leavesOf(value).map((leaf) => leaf.replaceAll('*', middle));
  }
  return undefined;
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  return isRecord(value) ? Object.values(value).flatMap(leavesOf) : [];
}

function underSource(bare: string, { output = '', source }: Package): string {
  return bare.startsWith(`${output}/`) ? path.join(source, bare.slice(output.length + 1)) : bare;
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

/** Files of Python by the name of the module, and the names of all files and folders. */
interface PythonModules {
  readonly files: ReadonlySet<string>;
  readonly byName: ReadonlyMap<string, readonly string[]>;
  readonly names: ReadonlySet<string>;
}

function readPythonModules(files: ReadonlySet<string>): PythonModules {
  const modules = [...files].filter((file) => /\.pyi?$/.test(file));
  const nameOf = (file: string) =>
    path.basename(file.replace(/\/__init__\.pyi?$/, '.py')).replace(/\.pyi?$/, '');
  const names = new Set(modules.flatMap((file) => file.replace(/\.pyi?$/, '').split('/')));
  return { files, byName: groupBy(modules, nameOf), names };
}

/** Leading dots go up from the folder of the file; another module may be below any folder. */
function pythonSources(module: string, from: string, { files, byName }: PythonModules): string[] {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const parts = module.slice(dots).split('.').filter(Boolean);
  const below = parts.join('/');
  const tails = below === '' ? ['__init__.py'] : [`${below}.py`, `${below}/__init__.py`, `${below}.pyi`];
  if (dots > 0) {
    const ups = Array.from({ length: dots - 1 }, () => '..');
    return tails.map((tail) => path.join(path.dirname(from), ...ups, tail)).filter((file) => files.has(file));
  }
  const named = byName.get(parts.at(-1) ?? '') ?? [];
  return named.filter((file) => tails.some((tail) => file.endsWith(`/${tail}`)));
}
