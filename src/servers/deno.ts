import { join } from 'node:path';
import type { ProjectFacts, ServerDefinition } from './definition.ts';
import { noNetwork } from './traits.ts';
import { typescriptAnswers, typescriptExtensions, typescriptHints } from './typescript.ts';

const configurations = ['deno.json', 'deno.jsonc'] as const;

/** Deno: TypeScript and JavaScript as Deno runs them, below its configuration. It fetches nothing. */
export const deno: ServerDefinition = {
  id: 'deno',
  group: 'typescript',
  rank: 30,
  extensions: typescriptExtensions,
  program: {
    sources: [
      { kind: 'package', name: '@deno/${platform}-${arch}', via: 'deno', file: 'deno${exe}', run: 'native' },
      { kind: 'package', name: '@deno/${platform}-${arch}-glibc', via: 'deno', file: 'deno', run: 'native' },
      { kind: 'path', name: 'deno' },
    ],
    args: ['lsp'],
    env: { DENO_NO_UPDATE_CHECK: '1', ...noNetwork },
  },
  handshake: {
    // Lint rules of the repository are programs, which it runs when it lints.
    settings: ({ trusted }) => ({
      deno: { ...settings, lint: trusted },
      typescript: { inlayHints: typescriptHints },
      javascript: { inlayHints: typescriptHints },
    }),
    initializationOptions: ({ trusted }) => ({ ...settings, lint: trusted }),
  },
  answers: [...typescriptAnswers, 'moves'],
  // It asks registries for each package that is not there, and again when it gets no answer.
  mayWaitForNetwork: true,
  ready: { kind: 'immediate' },
  doubts: ({ trusted }, service) =>
    trusted || service !== 'diagnostics' ? [] : [{ kind: 'not_trusted', detail: withoutLint }],
  trust: { boundTo: [...configurations.map((name) => `**/${name}`), 'deno.lock'] },
  // It reads the modules that were fetched before, and keeps in memory what it cannot write there.
  confinement: {
    env: ({ environment }) => ({ DENO_DIR: fetchedModules(environment) }),
    reads: ({ environment }) => [fetchedModules(environment)],
  },
  files: { onlyBelow: configurations },
  projects: { markers: configurations },
  sync: { opensCreated: true },
  disk: { configFiles: ['package.json', 'deno.lock'] },
  edits: { renamesByAlias: true },
  install: 'Install it: https://docs.deno.com/runtime/getting_started/installation',
};

function fetchedModules({ DENO_DIR, XDG_CACHE_HOME, HOME = '' }: ProjectFacts['environment']): string {
  return DENO_DIR || join(XDG_CACHE_HOME || join(HOME, '.cache'), 'deno');
}

const settings = {
  enable: true,
  cacheOnSave: false,
  // The number of files that it loads at the start; beyond them it knows only imported files.
  documentPreloadLimit: 20_000,
  suggest: { imports: { autoDiscover: false, hosts: {} } },
} as const;

const withoutLint = 'deno does not lint: that runs plugins.';
