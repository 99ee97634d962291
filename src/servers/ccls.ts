import type { ServerDefinition } from './definition.ts';
import {
  cExtensions,
  databaseFiles,
  databaseFolder,
  databaseName,
  systemHeaders,
  withoutDatabase,
} from './projects/compilation-database.ts';
import { field } from './traits.ts';

/** ccls: C, C++ and Objective-C, where clangd is not installed. */
export const ccls: ServerDefinition = {
  id: 'ccls',
  group: 'c',
  rank: 10,
  extensions: cExtensions,
  program: { sources: [{ kind: 'path', name: 'ccls' }], args: ['--log-file=stderr', '-v=0'] },
  handshake: {
    initializationOptions: (facts) => ({
      // Keeps the cache in memory; the default is `.ccls-cache` in the tree.
      cache: { directory: '' },
      compilationDatabaseDirectory: databaseFolder(facts) ?? '',
      // lspan sends the text on the disk: there is no typing to wait for.
      diagnostics: { onChange: 0 },
      highlight: { largeFileSize: 0 },
    }),
  },
  // Its progress ends only when it receives another message, and it uses new index data after answering one.
  ready: { kind: 'request', method: '$ccls/info', ready: isIdle, times: 2 },
  doubts: withoutDatabase('ccls'),
  // Options of these files make it write any file, and it has no setting against `.ccls`.
  trust: {
    runs: 'the compiler options in compile_commands.json and .ccls',
    includesText: true,
    boundTo: [databaseName, 'compile_flags.txt', '.ccls'].map((name) => `**/${name}`),
  },
  files: {
    watchAlso: databaseFiles,
    // It reindexes a file only if that is newer by a whole second; otherwise it answers from the old text.
    restartsOn: [databaseName, '.ccls', ...Object.keys(cExtensions).map((name) => `*.${name}`)],
    libraryRoots: () => systemHeaders,
  },
  disk: { configFiles: ['.clang-format'] },
  install: 'Install it with the package manager: `apt install ccls`, `brew install ccls`.',
};

function isIdle(info: unknown): boolean {
  const pipeline = field(info, 'pipeline');
  const wanted = field(pipeline, 'enqueued');
  return wanted !== undefined && field(pipeline, 'completed') === wanted;
}
