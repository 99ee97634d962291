import type { ServerDefinition } from './definition.ts';
import { completesSnippets, fileOnly } from './traits.ts';

/** CSS and Less, and SCSS where the Sass server is not installed. It knows one file at a time. */
export const vscodeCssLanguageServer: ServerDefinition = {
  id: 'vscode-css-language-server',
  group: 'style-sheets',
  rank: 10,
  extensions: { css: 'css', less: 'less', scss: 'scss' },
  program: {
    sources: [
      {
        kind: 'package',
        name: 'vscode-langservers-extracted',
        file: 'bin/vscode-css-language-server',
        run: 'node',
      },
      { kind: 'path', name: 'vscode-css-language-server' },
    ],
    args: ['--stdio'],
  },
  handshake: {
    // It formats only for clients that set this.
    initializationOptions: () => ({ provideFormatter: true }),
    clientCapabilities: completesSnippets,
  },
  answers: [
    'definition',
    'references',
    'hover',
    'outline',
    'diagnostics',
    'rename',
    'actions',
    'format',
    'completions',
  ],
  ready: { kind: 'immediate' },
  doubts: fileOnly,
  install: 'Install it with `lspan install vscode-css-language-server`.',
};
