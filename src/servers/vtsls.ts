import { dirname } from 'node:path';
import type { ServerDefinition } from './definition.ts';
import { typescriptAnswers, typescriptHints } from './typescript.ts';
import { ownTsserver, typescriptLanguageServer } from './typescript-language-server.ts';

/** vtsls: tsserver as VS Code drives it; used where the user prefers it. */
export const vtsls: ServerDefinition = {
  ...typescriptLanguageServer,
  id: 'vtsls',
  rank: 5,
  program: {
    ...typescriptLanguageServer.program,
    sources: [
      { kind: 'package', name: '@vtsls/language-server', file: 'bin/vtsls.js', run: 'node' },
      { kind: 'path', name: 'vtsls' },
    ],
    childDied: /^TSServer exited/,
  },
  handshake: {
    ...typescriptLanguageServer.handshake,
    initializationOptions: () => ({ hostInfo: 'lspan' }),
    settings: ({ ownFile }) => ({
      // The workspace's TypeScript is code of the repository.
      vtsls: { autoUseWorkspaceTsdk: false, typescript: ownTypescript(ownFile(...ownTsserver)) },
      typescript: {
        disableAutomaticTypeAcquisition: true,
        tsserver: { useSyntaxServer: 'never' },
        // Without it, a rename changes `{ name }` to `{ other }`, which is another property.
        preferences: { useAliasesForRenames: true },
        inlayHints: typescriptHints,
      },
      javascript: { preferences: { useAliasesForRenames: true }, inlayHints: typescriptHints },
    }),
  },
  answers: typescriptAnswers,
  // If one project load directly follows another, it reports only the end of the second.
  ready: { kind: 'progress', title: /^(Analyzing|Initializing) '/, orPublication: true, inTurn: true },
  install: 'Install it with `lspan install vtsls`.',
};

/** Without lspan's TypeScript, it uses its bundled one. */
function ownTypescript(tsserver: string | undefined): { readonly globalTsdk?: string } {
  return tsserver === undefined ? {} : { globalTsdk: dirname(tsserver) };
}
