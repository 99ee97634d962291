import type { ServerDefinition } from './definition.ts';

/** Haskell: the wrapper picks the server of the project's GHC. Cabal or Stack is run, and so is Template Haskell. */
export const haskellLanguageServer: ServerDefinition = {
  id: 'haskell-language-server',
  untested: true,
  extensions: { hs: 'haskell', lhs: 'literate haskell' },
  program: [{ kind: 'path', name: 'haskell-language-server-wrapper' }],
  args: ['--lsp'],
  needsTrust: 'the Cabal or Stack build and Template Haskell',
  trustBinds: [
    '**/*.cabal',
    '**/cabal.project*',
    '**/stack.yaml*',
    '**/package.yaml',
    '**/hie.yaml',
    '**/Setup.{hs,lhs}',
  ],
  ready: { kind: 'progress', title: /^(Setting up|Indexing|Processing)/ },
  initializeTimeout: 180_000,
  projectMarkers: ['hie.yaml', 'cabal.project', 'stack.yaml', 'package.yaml'],
  loadsOnOpen: true,
  writes: ['dist-newstyle/'],
  install: 'Install it with `ghcup install hls`: https://www.haskell.org/ghcup/',
};
