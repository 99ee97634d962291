import { dirname, join } from 'node:path';
import type { ServerDefinition } from './definition.ts';

/** What Composer notes when it has installed packages. */
const packages = ['vendor/composer/installed.json'] as const;

/** Intelephense: PHP. What needs a licence (rename, implementations) is not there. */
export const intelephense: ServerDefinition = {
  id: 'intelephense',
  extensions: { php: 'php', phtml: 'php' },
  program: [
    { kind: 'package', name: 'intelephense', file: 'lib/intelephense.js', run: 'node' },
    { kind: 'path', name: 'intelephense' },
  ],
  args: ['--stdio'],
  initializationOptions: ({ cache }) => ({
    storagePath: cache('intelephense'),
    globalStoragePath: cache('intelephense'),
  }),
  settings: () => ({ intelephense: { telemetry: { enabled: false } } }),
  // It takes up a change half a second to a second later, and answers from the old text until then without a word.
  restartsOn: ['*.php', '*.phtml', ...packages],
  watchAlso: packages,
  clears: (params) => typeof params === 'object' && params !== null && 'isClear' in params,
  ready: { kind: 'progress', title: /^Intelephense .*indexing/, republishes: true },
  // The declarations of what PHP itself offers.
  libraryRoots: (program) => [join(dirname(program), 'stub')],
  install: 'Install it with `npm install --global intelephense`.',
};
