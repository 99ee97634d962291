import type { ServerDefinition } from './definition.ts';

/** ElixirLS: it compiles the project with Mix, which runs its configuration and macros. */
export const elixirLs: ServerDefinition = {
  id: 'elixir-ls',
  untested: true,
  extensions: { ex: 'elixir', exs: 'elixir', heex: 'phoenix-heex', eex: 'eex' },
  program: [
    { kind: 'path', name: 'elixir-ls' },
    { kind: 'path', name: 'language_server.sh' },
  ],
  args: [],
  settings: () => ({ elixirLS: { dialyzerEnabled: false, fetchDeps: false } }),
  needsTrust: 'the Mix project',
  trustBinds: ['**/mix.exs', '**/mix.lock', '**/config/*.exs'],
  ready: { kind: 'unknown' },
  initializeTimeout: 120_000,
  projectMarkers: ['mix.exs'],
  writes: ['.elixir_ls/'],
  install: 'Install it with `brew install elixir-ls`, or see https://github.com/elixir-lsp/elixir-ls',
};
