import type { ServerDefinition } from './definition.ts';

/** SourceKit-LSP: Swift. It runs `Package.swift`, and the build server that a repository may name. */
export const sourcekitLsp: ServerDefinition = {
  id: 'sourcekit-lsp',
  untested: true,
  extensions: { swift: 'swift' },
  program: { sources: [{ kind: 'path', name: 'sourcekit-lsp' }], args: [], initializeTimeout: 120_000 },
  handshake: { initializationOptions: () => ({ backgroundIndexing: true }) },
  // It answers when the index is up to date. Toolchains before 6.2 do not know the request.
  ready: { kind: 'request', method: 'workspace/synchronize', params: { index: true }, ready: () => true },
  trust: {
    runs: 'Package.swift and the build plugins',
    boundTo: [
      '**/Package.swift',
      '**/Package@*.swift',
      '**/Package.resolved',
      'buildServer.json',
      '.bsp/*.json',
      '.sourcekit-lsp/config.json',
      '**/compile_commands.json',
    ],
  },
  files: { writes: ['.build/'] },
  projects: { markers: ['Package.swift'] },
  install: 'It comes with the Swift toolchain and with Xcode: https://www.swift.org/install/',
};
