import type { ServerDefinition } from '../backends/lsp/server-definition.ts';

const free = ['f90', 'f95', 'f03', 'f08', 'f18', 'fpp'] as const;
const fixed = ['f', 'for', 'ftn', 'f77'] as const;

/** fortls: Fortran. */
export const fortls: ServerDefinition = {
  id: 'fortls',
  extensions: Object.fromEntries([
    ...free.map((name) => [name, 'fortran']),
    ...fixed.map((name) => [name, 'fortran']),
  ]),
  program: [
    { kind: 'path', name: 'fortls' },
    { kind: 'path', name: 'fortran-language-server' },
  ],
  args: ['--disable_autoupdate', '--notify_init'],
  // A `.fortlsrc` of the repository can switch the update on again: it then finds nobody to ask.
  env: { PIP_NO_INDEX: '1', https_proxy: 'http://127.0.0.1:9', http_proxy: 'http://127.0.0.1:9' },
  // It has read the whole tree before it answers the handshake.
  ready: { kind: 'immediate' },
  initializeTimeout: 120_000,
  readsOnlyOpen: true,
  writes: ['fortls_debug.log, where a .fortlsrc asks for it'],
  install: 'Install it with `pipx install fortls`, or the package `fortran-language-server`.',
};
