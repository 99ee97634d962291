import type { ServerDefinition } from './definition.ts';
import { noNetwork } from './traits.ts';

/** Taplo: TOML, one file at a time. Schemas are left out: it would fetch their catalogue. */
export const taplo: ServerDefinition = {
  id: 'taplo',
  untested: true,
  extensions: { toml: 'toml', 'Cargo.lock': 'toml', 'poetry.lock': 'toml' },
  program: { sources: [{ kind: 'path', name: 'taplo' }], args: ['lsp', 'stdio'], env: noNetwork },
  handshake: {
    initializationOptions: ({ cache }) => ({
      cachePath: cache('taplo'),
      configurationSection: 'evenBetterToml',
    }),
    settings: () => ({ evenBetterToml: { schema: { enabled: false, catalogs: [] } } }),
  },
  answers: ['hover', 'outline', 'diagnostics', 'rename', 'format', 'completions'],
  ready: { kind: 'immediate' },
  diagnostics: { checksFilesAlone: true },
  install: 'Install it with `cargo install --features lsp --locked taplo-cli`.',
};
