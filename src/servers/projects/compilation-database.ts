import { basename, dirname, join, resolve } from 'node:path';
import { parse } from 'jsonc-parser';
import { limits } from '../../core/limits.ts';
import type { ProjectFacts, ServerDefinition } from '../definition.ts';
import { folderAbove } from './folder-above.ts';
import { includeOptions } from './include-folders.ts';
import { safeFlags } from './safe-flags.ts';

/** The file extensions of the C family, with their language ids. */
export const cExtensions = {
  c: 'c',
  h: 'c',
  cc: 'cpp',
  cpp: 'cpp',
  cxx: 'cpp',
  'c++': 'cpp',
  hh: 'cpp',
  hpp: 'cpp',
  hxx: 'cpp',
  'h++': 'cpp',
  ipp: 'cpp',
  inl: 'cpp',
  tpp: 'cpp',
  cu: 'cuda-cpp',
  cuh: 'cuda-cpp',
  m: 'objective-c',
  mm: 'objective-cpp',
} as const;

/** The file by which build tools record how each file is compiled. */
export const databaseName = 'compile_commands.json';

/** The file with the options of all sources in its folder and below. */
export const flagsName = 'compile_flags.txt';

/** Globs by which these files are watched, because build folders are usually ignored. */
export const databaseFiles = [databaseName, `*/${databaseName}`, flagsName] as const;

/** Returns the folder of the root's own database: the root, or one of its build folders, `build` first. */
export function databaseFolder(facts: ProjectFacts): string | undefined {
  return databaseFolders(facts).find((folder) => !isMadeElsewhere(facts, folder));
}

function databaseFolders({ root, exists, list }: ProjectFacts): readonly string[] {
  const folders = list(root)
    .filter((name) => buildFolder.test(name))
    .sort((a, b) => Number(b === 'build') - Number(a === 'build'));
  return [root, ...folders.map((name) => join(root, name))].filter((folder) =>
    exists(join(folder, databaseName)),
  );
}

/**
 * Returns whether a database lists only files that are not there, as one does that was made in a container, or before the
 * folder was moved. clangd would wait for ever to index one of them.
 */
export function isMadeElsewhere(facts: ProjectFacts, folder: string): boolean {
  const known = madeElsewhere.get(facts) ?? new Map<string, boolean>();
  madeElsewhere.set(facts, known);
  const found = known.get(folder) ?? listsNothingHere(facts, folder);
  known.set(folder, found);
  return found;
}

/** What was found at first is kept, as the server was started with it. */
const madeElsewhere = new WeakMap<ProjectFacts, Map<string, boolean>>();

function listsNothingHere({ exists, read, isElsewhere }: ProjectFacts, folder: string): boolean {
  if (isElsewhere) return false;
  const listed = listedIn(read(join(folder, databaseName)), folder);
  if (listed === undefined || listed.size === 0) return false;
  return ![...listed].some(exists);
}

/** Common build folders: `build`, `build-debug`, `out`, `cmake-build-release`, `builddir`, `_build`. */
const buildFolder = /^(_?build([-_.].*|dir)?|cmake-build-.*|out|debug|release|bin|obj|target)$/i;

/** A database for a root without any. */
interface Guess {
  readonly text: string;
  /** Names of the options that are not taken over without trust. */
  readonly leftOut: readonly string[];
}

/**
 * Returns a database for a root without any, with each source as the nearest `compile_flags.txt` has it, or else as the
 * compiler takes it by its name. It makes clangd read all sources, and not only those that are open, and take headers next
 * to C for C: without one they are C++, and a function and its declaration in a header are two symbols.
 */
export function guessedDatabase(facts: ProjectFacts): Guess | undefined {
  if (!guesses.has(facts)) guesses.set(facts, guessDatabase(facts));
  return guesses.get(facts);
}

/** The guesses for one start of a server each: all of it must be told the same. */
const guesses = new WeakMap<ProjectFacts, Guess | undefined>();

function guessDatabase(facts: ProjectFacts): Guess | undefined {
  const found = sourcesBelow(facts);
  if (found === undefined || !found.some((file) => sources.test(file))) return undefined;
  const all = found.filter((file) => sources.test(file));
  const isIncluded = includedAmong(facts, all);
  const compiled = all.filter((file) => !isIncluded(file));
  const flags = new Flags(facts);
  const entries = compiled.map((file) => ({ file, ...flags.of(file) }));
  const isGuessed = entries.some(({ options }) => options === undefined);
  const guessed = isGuessed ? includeOptions(facts, found) : [];
  const text = JSON.stringify(
    entries.map(({ directory, file, options = guessed }) => ({
      directory,
      file,
      arguments: ['clang', ...options, '-c', file],
    })),
    null,
    1,
  );
  return { text, leftOut: [...flags.leftOut] };
}

/** The options in each `compile_flags.txt` of a root; without trust only the safe ones. */
class Flags {
  readonly leftOut = new Set<string>();
  readonly #facts: ProjectFacts;
  readonly #folderOf: (file: string) => string | undefined;
  readonly #known = new Map<string, readonly string[]>();

  constructor(facts: ProjectFacts) {
    this.#facts = facts;
    this.#folderOf = folderAbove(facts, [flagsName]);
  }

  /** Returns the folder in which a source is compiled, and its options, if any are given. */
  of(file: string): { readonly directory: string; readonly options?: readonly string[] } {
    const folder = this.#folderOf(file);
    if (folder === undefined) return { directory: this.#facts.root };
    const options = this.#known.get(folder) ?? this.#read(folder);
    this.#known.set(folder, options);
    return { directory: folder, options };
  }

  #read(folder: string): readonly string[] {
    const flags = flagsIn(this.#facts.read(join(folder, flagsName)) ?? '');
    if (this.#facts.trusted) return flags;
    const { kept, leftOut } = safeFlags(flags);
    for (const name of leftOut) this.leftOut.add(name);
    return kept;
  }
}

/** Returns the options in a `compile_flags.txt`: one a line. */
export function flagsIn(text: string): readonly string[] {
  return text.split(/\r?\n/).flatMap((line) => line.trim() || []);
}

/** Returns the sources and headers below a root; `undefined` if there is a database, or there are too many. */
function sourcesBelow(facts: ProjectFacts): readonly string[] | undefined {
  const { root, list, folders } = facts;
  const found: string[] = [];
  const seen = [root];
  for (const folder of seen) {
    const names = [...list(folder)].sort();
    found.push(...names.filter(isSourceOrHeader).map((name) => join(folder, name)));
    const isMany = seen.length > limits.projects.c.folders || found.length > limits.projects.c.files;
    if (isMany || (names.includes(databaseName) && !isMadeElsewhere(facts, folder))) return undefined;
    const inner = folders(folder).filter((name) => !/^\.|^node_modules$/.test(name));
    seen.push(...[...inner].sort().map((name) => join(folder, name)));
  }
  return found;
}

/** Returns the nearest folder above a file, up to the root, with a database in it or in its `build`. */
export function databaseAbove(facts: ProjectFacts): (file: string) => string | undefined {
  const names = [databaseName, join('build', databaseName)];
  return folderAbove(facts, names, (path) => !isMadeElsewhere(facts, dirname(path)));
}

/** How the database in a folder has a file: it lists it, or a listed file includes it, as headers are. */
type DatabaseEntry = 'listed' | 'included';

/** Returns how the database in `folder` has a file. */
export function inDatabase(facts: ProjectFacts, folder: string): (file: string) => DatabaseEntry | undefined {
  const listed = listedIn(facts.read(join(folder, databaseName)), facts.root);
  if (listed === undefined) return () => 'listed';
  const isIncluded = includedAmong(facts, [...listed]);
  return (file) => {
    if (listed.has(file)) return 'listed';
    return !sources.test(file) || isIncluded(file) ? 'included' : undefined;
  };
}

/** Returns the files that are compiled by themselves, by the database of the root or the guessed one. */
export function compiledFiles(facts: ProjectFacts): ReadonlySet<string> {
  const folder = databaseFolder(facts);
  const database =
    folder === undefined ? guessedDatabase(facts)?.text : facts.read(join(folder, databaseName));
  return listedIn(database, facts.root) ?? new Set();
}

/** Returns the files that a database lists; `undefined` if it is none. */
function listedIn(database: string | undefined, root: string): ReadonlySet<string> | undefined {
  const entries: unknown = parse(database ?? '');
  return Array.isArray(entries) ? new Set(entries.flatMap((entry) => pathOf(entry, root))) : undefined;
}

/** Returns whether one of the sources includes a file that is next to it. Compiled alone, such a file means something else. */
function includedAmong({ read }: ProjectFacts, files: readonly string[]): (file: string) => boolean {
  const included = new Map<string, ReadonlySet<string>>();
  const includedIn = (folder: string): ReadonlySet<string> => {
    const texts = files.filter((file) => dirname(file) === folder).map((file) => read(file) ?? '');
    return new Set(texts.flatMap((text) => [...text.matchAll(includedSource)].map(([, name = '']) => name)));
  };
  return (file) => {
    const folder = dirname(file);
    const names = included.get(folder) ?? includedIn(folder);
    included.set(folder, names);
    return names.has(basename(file));
  };
}

const includedSource = /^[ \t]*#[ \t]*include[ \t]*"([^"/\n]+\.(?:c|cc|cpp|cxx|c\+\+|cu|m|mm))"/gim;

/** True for a file that is compiled, or that others include. */
export function isSourceOrHeader(file: string): boolean {
  return sources.test(file) || headers.test(file);
}

const headers = /\.(h|hh|hpp|hxx|h\+\+|ipp|inl|tpp|cuh|inc|def)$/i;
const sources = /\.(c|cc|cpp|cxx|c\+\+|cu|m|mm)$/i;

/** `file` may be relative to `directory`: https://clang.llvm.org/docs/JSONCompilationDatabase.html */
function pathOf(entry: unknown, root: string): string[] {
  if (typeof entry !== 'object' || entry === null) return [];
  const { directory, file } = Object.fromEntries(Object.entries(entry));
  return typeof file === 'string'
    ? [resolve(root, typeof directory === 'string' ? directory : '', file)]
    : [];
}

/** Returns the doubt that applies if nothing in the root says how its files are compiled. */
export function withoutDatabase(server: string): NonNullable<ServerDefinition['doubts']> {
  const absent = `${server} guesses how files are compiled: there is no ${databaseName}. CMake, Meson and \`bear -- make\` write one.`;
  const foreign = `${server} guesses how files are compiled: ${databaseName} lists files of another place. Make it again here.`;
  return (facts) => {
    if (databaseFolder(facts) !== undefined || facts.exists(join(facts.root, flagsName))) return [];
    const detail = databaseFolders(facts).length > 0 ? foreign : absent;
    return [{ kind: 'project_not_loaded', detail, unopened: true }];
  };
}

/** The folders of system and compiler headers. */
export const systemHeaders = [
  '/usr/include',
  '/usr/local/include',
  '/usr/lib/gcc',
  '/opt/homebrew/include',
  '/Library/Developer/CommandLineTools',
  '/Applications/Xcode.app/Contents/Developer',
] as const;
