import { join, resolve } from 'node:path';
import { parse } from 'jsonc-parser';
import { limits } from '../../core/limits.ts';
import type { ProjectFacts, ServerDefinition } from '../definition.ts';
import { folderAbove } from './folder-above.ts';

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

/** Globs by which these files are watched, because build folders are usually ignored. */
export const databaseFiles = [databaseName, `*/${databaseName}`, 'compile_flags.txt'] as const;

/** Returns the folder of the root's own database: the root, or one of its build folders, `build` first. */
export function databaseFolder({ root, exists, list }: ProjectFacts): string | undefined {
  const folders = list(root)
    .filter((name) => buildFolder.test(name))
    .sort((a, b) => Number(b === 'build') - Number(a === 'build'));
  return [root, ...folders.map((name) => join(root, name))].find((folder) =>
    exists(join(folder, databaseName)),
  );
}

/** Common build folders: `build`, `build-debug`, `out`, `cmake-build-release`, `builddir`, `_build`. */
const buildFolder = /^(_?build([-_.].*|dir)?|cmake-build-.*|out|debug|release|bin|obj|target)$/i;

/**
 * Returns the database of a root without one if all its sources are C: clangd takes headers for C++ unless a database
 * shows otherwise, and then a function and its declaration in a header are two symbols.
 */
export function guessedDatabase(facts: ProjectFacts): string | undefined {
  const { root } = facts;
  if (facts.exists(join(root, 'compile_flags.txt'))) return undefined;
  const [first, ...others] = sourcesBelow(facts) ?? [];
  if (first === undefined || ![first, ...others].every((name) => name.endsWith('.c'))) return undefined;
  return JSON.stringify([{ directory: root, file: first, arguments: ['clang', '-c', first] }]);
}

/** Returns the sources below a root; `undefined` if there is a database, or there are too many folders. */
function sourcesBelow({ root, list, folders }: ProjectFacts): readonly string[] | undefined {
  const found: string[] = [];
  const seen = [root];
  for (const folder of seen) {
    const names = [...list(folder)].sort();
    if (names.includes(databaseName) || seen.length > limits.projects.cFolders) return undefined;
    found.push(...names.filter((name) => sources.test(name)).map((name) => join(folder, name)));
    const inner = folders(folder).filter((name) => !/^\.|^node_modules$/.test(name));
    seen.push(...[...inner].sort().map((name) => join(folder, name)));
  }
  return found;
}

/** Returns the nearest folder above a file, up to the root, with a database in it or in its `build`. */
export function databaseAbove(facts: ProjectFacts): (file: string) => string | undefined {
  return folderAbove(facts, [databaseName, join('build', databaseName)]);
}

/** Returns whether the database in `folder` lists a file. Headers, which it omits, count as listed. */
export function inDatabase({ root, read }: ProjectFacts, folder: string): (file: string) => boolean {
  const entries: unknown = parse(read(join(folder, databaseName)) ?? '');
  if (!Array.isArray(entries)) return () => true;
  const listed = new Set(entries.flatMap((entry) => pathOf(entry, root)));
  return (file) => !sources.test(file) || listed.has(file);
}

const sources = /\.(c|cc|cpp|cxx|c\+\+|cu|m|mm)$/i;

/** `file` may be relative to `directory`: https://clang.llvm.org/docs/JSONCompilationDatabase.html */
function pathOf(entry: unknown, root: string): string[] {
  if (typeof entry !== 'object' || entry === null) return [];
  const { directory, file } = Object.fromEntries(Object.entries(entry));
  return typeof file === 'string'
    ? [resolve(root, typeof directory === 'string' ? directory : '', file)]
    : [];
}

/** Returns the doubt that applies if the root has no compilation database. */
export function withoutDatabase(server: string): NonNullable<ServerDefinition['doubts']> {
  const detail = [
    `There is no ${databaseName} in the root or its build folders:`,
    `${server} guesses how files without one above them are compiled, and searches only opened ones.`,
    'Write one with `cmake -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`, `meson setup build` or `bear -- make`.',
  ].join(' ');
  return (facts) => (databaseFolder(facts) === undefined ? [{ kind: 'project_not_loaded', detail }] : []);
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
