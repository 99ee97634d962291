import type { ServerDefinition } from './definition.ts';

/** Haskell: the wrapper picks the server of the project's GHC. Cabal or Stack is run, and so is Template Haskell. */
export const haskellLanguageServer: ServerDefinition = {
  id: 'haskell-language-server',
  untested: true,
  extensions: { hs: 'haskell', lhs: 'literate haskell' },
  program: {
    sources: [{ kind: 'path', name: 'haskell-language-server-wrapper' }],
    args: ['--lsp'],
    initializeTimeout: 180_000,
  },
  ready: { kind: 'progress', title: /^(Setting up|Indexing|Processing)/ },
  trust: {
    runs: 'the Cabal or Stack build and Template Haskell',
    boundTo: [
      '**/*.cabal',
      '**/cabal.project*',
      '**/stack.yaml*',
      '**/package.yaml',
      '**/hie.yaml',
      '**/Setup.{hs,lhs}',
    ],
  },
  files: { writes: ['dist-newstyle/'] },
  projects: { markers: ['hie.yaml', 'cabal.project', 'stack.yaml', 'package.yaml'], loadsOnOpen: true },
  install: 'Install it with `ghcup install hls`: https://www.haskell.org/ghcup/',
};
