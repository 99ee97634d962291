import { dirname } from 'node:path';
import type { ServerDefinition } from './definition.ts';
import { anyName, commonJs, typescriptProjects } from './projects/typescript-projects.ts';

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

/** Which hints are given: by default none are. */
export const typescriptHints = {
  parameterNames: { enabled: 'all', suppressWhenArgumentMatchesName: true },
  parameterTypes: { enabled: true },
  variableTypes: { enabled: true, suppressWhenTypeMatchesName: true },
  propertyDeclarationTypes: { enabled: true },
  functionLikeReturnTypes: { enabled: true },
  enumMemberValues: { enabled: true },
} as const;

/** Where package managers note what they installed. */
export const installations = [
  'node_modules/.package-lock.json',
  'node_modules/.yarn-state.yml',
  'node_modules/.modules.yaml',
] as const;

/** What decides how imports are found and code is checked. */
export const typescriptSetUp = ['package.json', '{ts,js}config*.json'] as const;

/** TypeScript 7's own server: native, fast and small. It has next to no code actions. */
export const typescript: ServerDefinition = {
  id: 'typescript',
  group: 'typescript',
  rank: 20,
  extensions: typescriptExtensions,
  // The platform's binary itself: the Node wrapper around it costs 230 ms, 42 MB and one more process.
  program: [
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
  // From warnings on: by default five log messages follow every answer.
  initializationOptions: () => ({ logVerbosity: 4 }),
  // What it has of code actions is next to nothing, and its hints tell `(A | B)[]` as `A | B[]`, which is another type:
  // the next of the group is asked for those.
  answers: [
    'definition',
    'references',
    'hover',
    'outline',
    'symbols',
    'diagnostics',
    'rename',
    'moves',
    'format',
    'type',
    'implementations',
    'calls',
    'completions',
    'signatures',
  ],
  renamesByAlias: true,
  ready: { kind: 'immediate' },
  projectMarkers: ['tsconfig.json', 'jsconfig.json'],
  projects: typescriptProjects,
  givesAway: anyName,
  overlooks: commonJs,
  loadsOnOpen: true,
  importsFromDisk: 'folders',
  setUpBy: typescriptSetUp,
  readsBeside: /\.json$/i,
  answersUnopened: ['outline', 'diagnostics'],
  symbolCap: 256,
  // What a package manager writes last: the server itself does not notice a package that came or changed.
  watchAlso: installations,
  restartsOn: installations,
  libraryRoots: (program) => [dirname(program)],
  // It ends with 1 after a clean shutdown.
  cleanExitCodes: [1],
  install: 'It ships with lspan; install lspan again, with optional dependencies, if it is missing.',
};
