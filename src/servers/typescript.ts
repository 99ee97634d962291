import { dirname } from 'node:path';
import type { ServerDefinition, Service } from './definition.ts';
import { typescriptPrograms } from './projects/typescript-programs.ts';
import { anyName, commonJs, typescriptProjects } from './projects/typescript-projects.ts';
import { languageAnswers } from './traits.ts';

/** The file extensions of TypeScript and JavaScript, with their language ids. */
export const typescriptExtensions = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'typescriptreact',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascriptreact',
} as const;

/** Matches the files that the compiler checks if one of the project imports them. */
export const typescriptSources = /\.[cm]?tsx?$/;

/** The questions that servers built on TypeScript's language service answer. */
export const typescriptAnswers: readonly Service[] = [
  ...languageAnswers,
  ...(['actions', 'format', 'implementations', 'completions', 'hints'] as const),
];

/** Settings that enable inlay hints; all are off by default. */
export const typescriptHints = {
  parameterNames: { enabled: 'all', suppressWhenArgumentMatchesName: true },
  parameterTypes: { enabled: true },
  variableTypes: { enabled: true, suppressWhenTypeMatchesName: true },
  propertyDeclarationTypes: { enabled: true },
  functionLikeReturnTypes: { enabled: true },
  enumMemberValues: { enabled: true },
} as const;

/** Turns off the installation of types by npm, under the old and the new name of the setting. */
export const noTypeAcquisition = {
  disableAutomaticTypeAcquisition: true,
  tsserver: { automaticTypeAcquisition: { enabled: false } },
} as const;

const packageName = String.raw`(?:@[\w.-]+\/)?\w[\w.-]*`;
const notFound = new RegExp(String.raw`^Cannot find module '(${packageName})(?:\/[^']*)?'`);
const withoutTypes = new RegExp(`npm i --save-dev (${packageName})`);

/** What the compiler says of imports from packages, and of names of those whose types are missing. */
export const missingNpmPackages: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(['2307', '2792'].map((code) => [code, notFound])),
  ...Object.fromEntries(['2580', '2581', '2582', '2591', '2592', '2593'].map((code) => [code, withoutTypes])),
};

/** Files in which package managers record what they installed; they write them last. Bun has only its lock file. */
export const installations = [
  'node_modules/.package-lock.json',
  'node_modules/.yarn-state.yml',
  'node_modules/.yarn-integrity',
  'node_modules/.modules.yaml',
  'bun.lock',
  'bun.lockb',
] as const;

/** Globs of files that decide how imports are resolved and code is checked. */
export const typescriptConfigFiles = ['package.json', '{ts,js}config*.json'] as const;

/** TypeScript 7's own server: native, fast and small. It has next to no code actions. */
export const typescript: ServerDefinition = {
  id: 'typescript',
  group: 'typescript',
  rank: 20,
  extensions: typescriptExtensions,
  program: {
    // The platform's binary, because its Node wrapper costs 230 ms, 42 MB and one more process.
    sources: [
      {
        kind: 'package',
        name: '@typescript/typescript-${platform}-${arch}',
        via: 'typescript-7',
        file: 'lib/tsc${exe}',
        run: 'native',
        ships: true,
      },
    ],
    args: ['--lsp', '--stdio'],
  },
  // Warnings and above: by default, five log messages follow every answer.
  handshake: {
    initializationOptions: () => ({ logVerbosity: 4 }),
    settings: () => ({
      'js/ts': noTypeAcquisition,
      typescript: noTypeAcquisition,
      javascript: noTypeAcquisition,
    }),
  },
  // The group's next server answers code actions, of which this one has almost none, and hints, in which it
  // shows `(A | B)[]` as `A | B[]`, which is another type.
  answers: [...languageAnswers, 'moves', 'format', 'implementations', 'completions'],
  ready: { kind: 'immediate' },
  files: {
    // A package manager writes these last; the server itself does not notice a new or changed package.
    watchAlso: installations,
    restartsOn: installations,
    libraryRoots: (program) => [dirname(program)],
    programFiles: typescriptPrograms,
  },
  projects: {
    markers: ['tsconfig.json', 'jsconfig.json'],
    ofMarker: typescriptProjects,
    importedFiles: typescriptSources,
    loadsOnOpen: true,
  },
  // Its search waits for new texts in projects, but not in files of none.
  sync: { answersUnopened: ['outline', 'diagnostics'], searchesReadTexts: true },
  disk: { imports: 'folders', configFiles: typescriptConfigFiles, otherLanguages: /\.json$/i },
  search: { exportedUnderAnyName: anyName, unreported: commonJs, symbolCap: 256 },
  edits: { renamesByAlias: true },
  diagnostics: { publishesProjects: true, missingPackages: missingNpmPackages },
  install: 'It ships with lspan; install lspan again, with optional dependencies, if it is missing.',
};
