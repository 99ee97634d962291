import { dirname, join } from 'node:path';
import type { ServerDefinition } from './definition.ts';

/** The file that Composer writes when it installs packages. */
const packages = ['vendor/composer/installed.json'] as const;

/** Intelephense: PHP. What needs a licence (rename, implementations) is not there. */
export const intelephense: ServerDefinition = {
  id: 'intelephense',
  extensions: { php: 'php', phtml: 'php' },
  program: {
    sources: [
      { kind: 'package', name: 'intelephense', file: 'lib/intelephense.js', run: 'node' },
      { kind: 'path', name: 'intelephense' },
    ],
    args: ['--stdio'],
  },
  handshake: {
    initializationOptions: ({ cache }) => ({
      storagePath: cache('intelephense'),
      globalStoragePath: cache('intelephense'),
    }),
    settings: () => ({ intelephense: { telemetry: { enabled: false } } }),
  },
  ready: { kind: 'progress', title: /^Intelephense .*indexing/, republishes: true },
  files: {
    // It applies a change 0.5 to 1 s late, and silently answers from the old text until then.
    restartsOn: ['*.php', '*.phtml', ...packages],
    watchAlso: packages,
    // Declarations of PHP's built-in symbols.
    libraryRoots: (program) => [join(dirname(program), 'stub')],
  },
  diagnostics: {
    isRetraction: (params) => typeof params === 'object' && params !== null && 'isClear' in params,
  },
  install: 'Install it with `lspan install intelephense`.',
};
