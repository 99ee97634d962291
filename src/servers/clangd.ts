import { dirname, join } from 'node:path';
import type { ProjectFacts, ServerDefinition } from './definition.ts';
import { preambleOf } from './projects/c-preamble.ts';
import {
  cExtensions,
  compiledFiles,
  databaseAbove,
  databaseFiles,
  databaseFolder,
  databaseName,
  flagsName,
  guessedDatabase,
  inDatabase,
  systemHeaders,
  withoutDatabase,
} from './projects/compilation-database.ts';
import { headerSettings } from './projects/header-settings.ts';
import { copySafely, safeDatabase, withoutUnsafeFlags } from './projects/safe-database.ts';
import { field } from './traits.ts';

const newest = 22;
const oldest = 14;
const versions = Array.from({ length: newest - oldest + 1 }, (_, index) => `clangd-${newest - index}`);

/**
 * clangd: C, C++, Objective-C and CUDA. It runs no compiler of the project. Without trust it gets a copy of the
 * compilation database without the options that write or load files, and does not read `.clangd`.
 */
export const clangd: ServerDefinition = {
  id: 'clangd',
  group: 'c',
  rank: 20,
  extensions: cExtensions,
  program: {
    sources: ['clangd', ...versions].map((name) => ({ kind: 'path', name })),
    // By default it silently omits references after the first thousand, and checks the files that include a
    // header with the header's text on the disk, even if it was sent another.
    args: [
      ...['--background-index', '--limit-references=0', `--limit-results=${500}`, '--log=error'],
      '--use-dirty-headers',
    ],
    untrustedArgs: ['--enable-config=false'],
    // When it crashes, as a pragma of a file can make it, it would run a program for the names of its stack.
    env: { LLVM_DISABLE_SYMBOLIZATION: '1' },
  },
  handshake: {
    initializationOptions: (facts) => ({
      compilationDatabasePath: facts.trusted ? databaseInCache(facts) : copySafely(facts, 'clangd'),
    }),
  },
  ready: (facts) =>
    databaseFolder(facts) === undefined && guessedDatabase(facts) === undefined
      ? { kind: 'progress', title: indexing, orSilence: true }
      : { kind: 'progress', title: indexing },
  doubts: withoutDatabase('clangd'),
  trust: {
    withheld: withoutUnsafeFlags('clangd', '.clangd'),
    includesText: true,
    boundTo: [databaseName, flagsName, '.clangd'].map((name) => `**/${name}`),
  },
  // The folder of the database, next to which it writes its index, is filled by lspan.
  confinement: {
    writes: (facts) => [facts.cache(`${cacheOfDatabase(facts)}/.cache`)],
  },
  files: {
    watchAlso: databaseFiles,
    restartsOn: [databaseName, flagsName, '.clangd'],
    libraryRoots: (program) => [...systemHeaders, join(dirname(dirname(program)), 'lib')],
    writes: [".cache/clangd/index, next to a compile_commands.json other than the root's"],
  },
  projects: {
    loadsOnOpen: true,
    ofFile: (facts) => {
      const folder = databaseFolder(facts);
      if (folder === undefined) return databaseAbove(facts);
      const entryOf = inDatabase(facts, folder);
      return (file) => (entryOf(file) ? facts.root : undefined);
    },
    includedByOthers: (facts) => {
      const folder = databaseFolder(facts);
      const entryOf = folder === undefined ? undefined : inDatabase(facts, folder);
      return (file) => entryOf?.(file) === 'included';
    },
    compiled: compiledFiles,
    settingsOfFiles: headerSettings,
  },
  sync: {
    readsOnlyOpen: true,
    headers: /\.(h|hh|hpp|hxx|h\+\+|ipp|inl|tpp|cuh)$/i,
    sources: { files: /\.(c|cc|cpp|cxx|c\+\+|cu|m|mm)$/i, head: preambleOf },
    publishesWhenRead: true,
  },
  disk: { configFiles: ['.clang-tidy', '.clang-format'] },
  // Of what it finds in a file, only the mending of an error needs the index: which header declares a name.
  diagnostics: { beforeReady: (found) => found.every((one) => field(one, 'severity') !== 1) },
  search: {
    // In version 19, which also rejects outgoing calls as unknown, although it announces the hierarchy.
    directImplementationsOnly: true,
    symbolCap: 500,
  },
  edits: { commands: ['clangd.applyFix', 'clangd.applyTweak'] },
  install:
    'Install it with the package manager (`apt install clangd`), or from https://clangd.llvm.org/installation.',
};

const indexing = /^indexing$/;

function cacheOfDatabase(facts: ProjectFacts): string {
  return facts.trusted ? 'clangd' : `clangd-${safeDatabase(facts).name}`;
}

/** Returns the folder of a database: clangd writes its index next to it, and a link keeps that out of the tree. */
function databaseInCache(facts: ProjectFacts): string | undefined {
  const folder = databaseFolder(facts);
  if (folder !== undefined)
    return facts.cache('clangd', { [databaseName]: { link: join(folder, databaseName) } });
  const guessed = guessedDatabase(facts);
  return guessed && facts.cache('clangd', { [databaseName]: { text: guessed.text } });
}
