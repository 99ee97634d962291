import { join } from 'node:path';
import type { ServerDefinition } from './definition.ts';

const free = ['f90', 'f95', 'f03', 'f08', 'f18', 'fpp'] as const;
const fixed = ['f', 'for', 'ftn', 'f77'] as const;

/**
 * By default it preprocesses files with an upper-case suffix, and evaluates their conditions as Python. Here
 * it preprocesses none, so it reads both branches of an `#if`.
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
    // If it looks for an update all the same, it reaches no server.
    env: { PIP_NO_INDEX: '1', https_proxy: 'http://127.0.0.1:9', http_proxy: 'http://127.0.0.1:9' },
    initializeTimeout: 120_000,
  },
  // It reads the whole tree before it answers `initialize`.
  ready: { kind: 'immediate' },
  sync: { readsOnlyOpen: true },
  install: 'Install it with `pipx install fortls`, or the package `fortran-language-server`.',
};
