import type { ServerDefinition } from './definition.ts';
import { typescriptExtensions, typescriptHints } from './typescript.ts';

const configurations = ['deno.json', 'deno.jsonc'] as const;

/** Deno: TypeScript and JavaScript as Deno runs them, below its configuration. It fetches nothing. */
export const deno: ServerDefinition = {
  id: 'deno',
  group: 'typescript',
  rank: 30,
  extensions: typescriptExtensions,
  onlyBelow: configurations,
  program: [
    { kind: 'package', name: '@deno/${platform}-${arch}', via: 'deno', file: 'deno${exe}', run: 'native' },
    { kind: 'package', name: '@deno/${platform}-${arch}-glibc', via: 'deno', file: 'deno', run: 'native' },
    { kind: 'path', name: 'deno' },
  ],
  args: ['lsp'],
  env: { DENO_NO_UPDATE_CHECK: '1' },
  // Lint rules of the repository are programs, which it runs as soon as it lints.
  settings: ({ trusted }) => ({
    deno: { ...settings, lint: trusted },
    typescript: { inlayHints: typescriptHints },
    javascript: { inlayHints: typescriptHints },
  }),
  initializationOptions: ({ trusted }) => ({ ...settings, lint: trusted }),
  trustBinds: [...configurations.map((name) => `**/${name}`), 'deno.lock'],
  doubts: ({ trusted }, service) =>
    trusted || service !== 'diagnostics' ? [] : [{ kind: 'not_trusted', detail: withoutLint }],
  answers: [
    'definition',
    'references',
    'hover',
    'outline',
    'symbols',
    'diagnostics',
    'rename',
    'moves',
    'actions',
    'format',
    'type',
    'implementations',
    'calls',
    'completions',
    'signatures',
    'hints',
  ],
  renamesByAlias: true,
  ready: { kind: 'immediate' },
  projectMarkers: configurations,
  setUpBy: ['package.json', 'deno.lock'],
  opensCreated: true,
  install: 'Install it as https://docs.deno.com/runtime/getting_started/installation tells.',
};

const settings = {
  enable: true,
  cacheOnSave: false,
  // As many files it looks for at the start; beyond them it knows only what is imported.
  documentPreloadLimit: 20_000,
  suggest: { imports: { autoDiscover: false, hosts: {} } },
} as const;

const withoutLint = 'deno does not lint, because that would run the lint plugins of this repository.';
