import { join, resolve } from 'node:path';
import { parse } from 'jsonc-parser';
import type { ProjectFacts, ServerDefinition } from '../definition.ts';
import { folderAbove } from './folder-above.ts';

/** The file extensions of C and its relatives, with their language ids. */
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

/** What build tools write to say how each file is compiled. */
export const databaseName = 'compile_commands.json';

/** Where those files are watched for: build folders are usually ignored. */
export const databaseFiles = [databaseName, `*/${databaseName}`, 'compile_flags.txt'] as const;

/** The folder of the root's own database: the root, or one of its folders, the usual names first. */
export function databaseFolder({ root, exists, list }: ProjectFacts): string | undefined {
  const folders = list(root)
    .filter((name) => buildFolder.test(name))
    .sort((a, b) => Number(b === 'build') - Number(a === 'build'));
  return [root, ...folders.map((name) => join(root, name))].find((folder) =>
    exists(join(folder, databaseName)),
  );
}

/** Names under which people build: `build`, `build-debug`, `out`, `cmake-build-release`, `builddir`, `_build`. */
const buildFolder = /^(_?build([-_.].*|dir)?|cmake-build-.*|out|debug|release|bin|obj|target)$/i;

/** The folder above a file, up to the root, that has a database in it or in its `build`. */
export function databaseAbove(facts: ProjectFacts): (file: string) => string | undefined {
  return folderAbove(facts, [databaseName, join('build', databaseName)]);
}

/** Whether the root's own database says how a file is compiled; of headers it says nothing, and they count as known. */
export function inDatabase({ root, read }: ProjectFacts, folder: string): (file: string) => boolean {
  const entries: unknown = parse(read(join(folder, databaseName)) ?? '');
  if (!Array.isArray(entries)) return () => true;
  const listed = new Set(entries.flatMap((entry) => pathOf(entry, root)));
  return (file) => !sources.test(file) || listed.has(file);
}

const sources = /\.(c|cc|cpp|cxx|c\+\+|cu|m|mm)$/i;

/** https://clang.llvm.org/docs/JSONCompilationDatabase.html: the file may be relative to the folder of the compilation. */
function pathOf(entry: unknown, root: string): string[] {
  if (typeof entry !== 'object' || entry === null) return [];
  const { directory, file } = Object.fromEntries(Object.entries(entry));
  return typeof file === 'string'
    ? [resolve(root, typeof directory === 'string' ? directory : '', file)]
    : [];
}

/** What is doubtful where nothing says how the files of the root are compiled. */
export function withoutDatabase(server: string): NonNullable<ServerDefinition['doubts']> {
  const detail = [
    `No ${databaseName} lies in the root or its build folders:`,
    `${server} guesses how files without one above them are compiled, and searches only those that were opened.`,
    'Write one with `cmake -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`, `meson setup build` or `bear -- make`.',
  ].join(' ');
  return (facts) => (databaseFolder(facts) === undefined ? [{ kind: 'project_not_loaded', detail }] : []);
}

/** Where the headers of the system and of compilers are. */
export const systemHeaders = [
  '/usr/include',
  '/usr/local/include',
  '/usr/lib/gcc',
  '/opt/homebrew/include',
  '/Library/Developer/CommandLineTools',
  '/Applications/Xcode.app/Contents/Developer',
] as const;
