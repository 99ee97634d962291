import type { ServerDefinition } from './definition.ts';
import { packageFiles } from './projects/node-projects.ts';
import { installations, typescriptExtensions, typescriptSetUp } from './typescript.ts';

/** Svelte: components, and what they use of TypeScript. */
export const svelte: ServerDefinition = {
  id: 'svelte',
  extensions: { svelte: 'svelte' },
  sees: Object.keys(typescriptExtensions),
  // With its own compiler, of Svelte 4, it takes what Svelte 5 added for errors: such problems are none.
  needsTrust: 'the Svelte compiler and svelte.config.js',
  withoutTrust: [
    'definition',
    'references',
    'hover',
    'outline',
    'symbols',
    'rename',
    'type',
    'implementations',
    'calls',
  ],
  trustBinds: ['**/svelte.config.*', '**/vite.config.*', ...packageFiles],
  program: [
    { kind: 'package', name: 'svelte-language-server', file: 'bin/server.js', run: 'node' },
    { kind: 'path', name: 'svelteserver' },
  ],
  args: ['--stdio'],
  initializationOptions: ({ trusted }) => ({ isTrusted: trusted, configuration: {} }),
  answers: [
    'definition',
    'references',
    'hover',
    'outline',
    'symbols',
    'diagnostics',
    'rename',
    'actions',
    'format',
    'type',
    'implementations',
    'calls',
    'completions',
    'signatures',
    'hints',
  ],
  doubts: ({ trusted }) => (trusted ? [] : [{ kind: 'not_trusted', detail: withoutCompiler }]),
  renamesByAlias: true,
  ready: { kind: 'immediate' },
  projectMarkers: ['tsconfig.json', 'jsconfig.json', 'svelte.config.js'],
  loadsOnOpen: true,
  importsFromDisk: 'files',
  readsBeside: /\.(?:[cm]?[jt]sx?|json)$/i,
  setUpBy: [...typescriptSetUp, 'svelte.config.*', '.prettierrc*', 'prettier.config.*', '.editorconfig'],
  watchAlso: installations,
  restartsOn: installations,
  install: 'Install it with `npm install --global svelte-language-server`.',
};

const withoutCompiler =
  'svelte reads components as Svelte 4 did, because the compiler of this repository is not run: uses in the markup of newer ones may be missing.';
