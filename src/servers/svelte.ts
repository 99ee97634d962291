import type { ServerDefinition } from './definition.ts';
import { guardedImports, guardedNode } from './node-guard.ts';
import { packageFiles } from './projects/node-projects.ts';
import {
  installations,
  typescriptAnswers,
  typescriptConfigFiles,
  typescriptExtensions,
} from './typescript.ts';

/** Svelte: components, and what they use of TypeScript. */
export const svelte: ServerDefinition = {
  id: 'svelte',
  extensions: { svelte: 'svelte' },
  program: {
    sources: [
      { kind: 'package', name: 'svelte-language-server', file: 'bin/server.js', run: 'node' },
      { kind: 'path', name: 'svelteserver' },
    ],
    args: ['--stdio'],
    // It copies type declarations into node_modules, and works without the copy. Imports may lead to any file.
    rootEnv: (facts, program, named) =>
      facts.trusted ? guardedNode(facts) : guardedImports(facts, program, named),
  },
  handshake: { initializationOptions: ({ trusted }) => ({ isTrusted: trusted, configuration: {} }) },
  answers: typescriptAnswers,
  ready: { kind: 'immediate' },
  doubts: ({ trusted }) => (trusted ? [] : [{ kind: 'not_trusted', detail: withoutCompiler }]),
  trust: {
    // Its own compiler, of Svelte 4, reports Svelte 5 syntax as errors: without trust, no diagnostics.
    runs: 'the Svelte compiler and svelte.config.js',
    answersWithout: [
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
    boundTo: ['**/svelte.config.*', '**/vite.config.*', ...packageFiles],
  },
  files: {
    importedExtensions: Object.keys(typescriptExtensions),
    watchAlso: installations,
    restartsOn: installations,
  },
  projects: { markers: ['tsconfig.json', 'jsconfig.json', 'svelte.config.js'], loadsOnOpen: true },
  disk: {
    imports: 'files',
    otherLanguages: /\.(?:[cm]?[jt]sx?|json)$/i,
    configFiles: [
      ...typescriptConfigFiles,
      'svelte.config.*',
      '.prettierrc*',
      'prettier.config.*',
      '.editorconfig',
    ],
  },
  edits: {
    renamesByAlias: true,
    commands: [
      ...[0, 1, 2, 3].flatMap((scope) => [`function_scope_${scope}`, `constant_scope_${scope}`]),
      ...['extract_to_svelte_component', 'migrate_to_svelte_5', 'Infer function return type'],
    ],
  },
  install: 'Install it with `lspan install svelte`.',
};

const withoutCompiler = 'Uses in markup newer than Svelte 4 may be missing.';
