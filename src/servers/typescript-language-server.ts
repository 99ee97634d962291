import { dirname } from 'node:path';
import type { ServerDefinition } from './definition.ts';
import { guardedImports } from './node-guard.ts';
import { anyName, commonJs, typescriptProjects } from './projects/typescript-projects.ts';
import { field } from './traits.ts';
import { bodyOf, diagnosticsOf, isSuccess, refactoringOf, symbolsOf } from './tsserver-answers.ts';
import {
  installations,
  missingNpmPackages,
  typescriptAnswers,
  typescriptConfigFiles,
  typescriptExtensions,
  typescriptSources,
} from './typescript.ts';

/** The package and file of the tsserver that ships with lspan. */
export const ownTsserver = ['typescript-5', 'lib/tsserver.js'] as const;

/** All hints are off by default. */
const hints = {
  includeInlayParameterNameHints: 'all',
  includeInlayParameterNameHintsWhenArgumentMatchesName: false,
  includeInlayFunctionParameterTypeHints: true,
  includeInlayVariableTypeHints: true,
  includeInlayVariableTypeHintsWhenTypeMatchesName: false,
  includeInlayPropertyDeclarationTypeHints: true,
  includeInlayFunctionLikeReturnTypeHints: true,
  includeInlayEnumMemberValueHints: true,
};

/** The server over tsserver: heavier than TypeScript 7's own, and used where that one is missing or lacks the answer. */
export const typescriptLanguageServer: ServerDefinition = {
  id: 'typescript-language-server',
  group: 'typescript',
  rank: 10,
  extensions: typescriptExtensions,
  program: {
    sources: [
      { kind: 'package', name: 'typescript-language-server', file: 'lib/cli.mjs', run: 'node', ships: true },
      { kind: 'path', name: 'typescript-language-server' },
    ],
    args: ['--stdio'],
    // Imports, settings and links may lead to any file, whose literals types then quote.
    rootEnv: guardedImports,
    childDied: /\[tsserver\] Exited/i,
  },
  handshake: {
    initializationOptions: ({ ownFile }) => ({
      hostInfo: 'lspan',
      disableAutomaticTypingAcquisition: true,
      // Without it, a rename changes `{ name }` to `{ other }`, which is another property.
      preferences: { providePrefixAndSuffixTextForRename: true, ...hints },
      tsserver: {
        // Without a path, it prefers the workspace's tsserver, which is code of the repository.
        path: ownFile(...ownTsserver),
        // While the project loads, the syntax server answers references and renames from a single file.
        useSyntaxServer: 'never',
        useClientFileWatcher: true,
      },
    }),
  },
  answers: [...typescriptAnswers, 'moves'],
  ready: { kind: 'progress', title: /^Initializing JS\/TS language features/, orPublication: true },
  files: {
    watchAlso: installations,
    restartsOn: installations,
    libraryRoots: (_program, { ownFile }) => {
      const tsserver = ownFile(...ownTsserver);
      return tsserver === undefined ? [] : [dirname(tsserver)];
    },
  },
  projects: {
    markers: ['tsconfig.json', 'jsconfig.json'],
    ofMarker: typescriptProjects,
    importedFiles: typescriptSources,
    loadsOnOpen: true,
  },
  sync: { opensCreated: true },
  disk: {
    // A new file is in a project of its own until another file imports it.
    imports: 'projects',
    visibleOnlyByImport: /^\s*(import|export)\b/m,
    configFiles: typescriptConfigFiles,
    otherLanguages: /\.json$/i,
  },
  search: {
    // tsserver searches all its projects for references, but only the file's project for these.
    projectOnly: ['implementations', 'calls'],
    exportedUnderAnyName: anyName,
    unreported: commonJs,
  },
  edits: {
    renamesByAlias: true,
    // Commands of quick fixes install packages; others move files or configure it. Edits come without them.
    commands: ['_typescript.organizeImports'],
    columnsBeyondLineEnd: true,
    // It creates the files of a refactoring before it asks the client to apply the edit.
    replacedCommands: {
      '_typescript.applyRefactoring': {
        command: 'typescript.tsserverRequest',
        arguments: ({ arguments: given }) => ['getEditsForRefactor', Array.isArray(given) ? given[0] : {}],
        answer: refactoringOf,
      },
    },
  },
  diagnostics: {
    missingPackages: missingNpmPackages,
    // It publishes syntax, semantic and suggestion diagnostics one after the other.
    quiet: 500,
    // The semantic check may end at any time after the syntax check publishes an empty list.
    checkCommand: {
      command: 'typescript.tsserverRequest',
      arguments: (file) => ['semanticDiagnosticsSync', { file }],
      others: [(file) => ['syntacticDiagnosticsSync', { file }]],
      proves: isSuccess,
      foundNothing: (answer) => isSuccess(answer) && bodyOf(answer).length === 0,
      diagnosticsOf,
      // Suggestions come last, and on a busy machine after the quiet.
      last: {
        arguments: (file) => ['suggestionDiagnosticsSync', { file }],
        isPublished: (answer, published) =>
          // Suggestions are hints, which are 4 in the Language Server Protocol.
          bodyOf(answer).length <= published.filter((one) => field(one, 'severity') === 4).length,
      },
    },
  },
  // Its own symbol search covers only the project of the most recently used file.
  quirks: {
    questionCommands: {
      symbols: {
        command: 'typescript.tsserverRequest',
        arguments: ({ query }) => ['navto', { searchValue: query }],
        answer: symbolsOf,
      },
    },
  },
  install: 'It ships with lspan; install lspan again if it is missing.',
};
