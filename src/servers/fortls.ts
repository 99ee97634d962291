import { join } from 'node:path';
import type { ServerDefinition } from './definition.ts';

const free = ['f90', 'f95', 'f03', 'f08', 'f18', 'fpp'] as const;
const fixed = ['f', 'for', 'ftn', 'f77'] as const;

/**
 * Files with a suffix in upper case would be preprocessed, and the conditions in them evaluated as Python: none is, so
 * that both branches of an `#if` are read.
 */
const configuration = { pp_suffixes: ['.none'], disable_autoupdate: true, notify_init: true };

/** fortls: Fortran. The first configuration counts, which is ours: a `.fortlsrc` of the repository is not read. */
export const fortls: ServerDefinition = {
  id: 'fortls',
  extensions: Object.fromEntries([
    ...free.map((name) => [name, 'fortran']),
    ...fixed.map((name) => [name, 'fortran']),
  ]),
  program: {
    sources: [
      { kind: 'path', name: 'fortls' },
      { kind: 'path', name: 'fortran-language-server' },
    ],
    args: ['--disable_autoupdate', '--notify_init'],
    rootArgs: ({ cache }) => {
      const folder = cache('fortls', { 'fortls.json': { text: JSON.stringify(configuration) } });
      return ['--config', join(folder, 'fortls.json')];
    },
    // Should it look for an update all the same, it finds nobody to ask.
    env: { PIP_NO_INDEX: '1', https_proxy: 'http://127.0.0.1:9', http_proxy: 'http://127.0.0.1:9' },
    initializeTimeout: 120_000,
  },
  // It has read the whole tree before it answers the handshake.
  ready: { kind: 'immediate' },
  sync: { readsOnlyOpen: true },
  install: 'Install it with `pipx install fortls`, or the package `fortran-language-server`.',
};
