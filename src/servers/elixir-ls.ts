import type { ServerDefinition } from './definition.ts';

/** ElixirLS: it compiles the project with Mix, which runs its configuration and macros. */
export const elixirLs: ServerDefinition = {
  id: 'elixir-ls',
  untested: true,
  extensions: { ex: 'elixir', exs: 'elixir', heex: 'phoenix-heex', eex: 'eex' },
  program: {
    sources: [
      { kind: 'path', name: 'elixir-ls' },
      { kind: 'path', name: 'language_server.sh' },
    ],
    args: [],
    initializeTimeout: 120_000,
  },
  handshake: { settings: () => ({ elixirLS: { dialyzerEnabled: false, fetchDeps: false } }) },
  ready: { kind: 'unknown' },
  trust: { runs: 'the Mix project', boundTo: ['**/mix.exs', '**/mix.lock', '**/config/*.exs'] },
  files: { writes: ['.elixir_ls/'] },
  projects: { markers: ['mix.exs'] },
  install: 'Install it with `brew install elixir-ls`, or see https://github.com/elixir-lsp/elixir-ls',
};
