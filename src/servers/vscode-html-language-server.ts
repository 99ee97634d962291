import type { ServerDefinition } from './definition.ts';
import { completesSnippets, fileOnly } from './traits.ts';

/** HTML, with the styles and scripts inside it. It knows one file at a time. */
export const vscodeHtmlLanguageServer: ServerDefinition = {
  id: 'vscode-html-language-server',
  extensions: { html: 'html', htm: 'html', xhtml: 'html' },
  program: {
    sources: [
      {
        kind: 'package',
        name: 'vscode-langservers-extracted',
        file: 'bin/vscode-html-language-server',
        run: 'node',
      },
      { kind: 'path', name: 'vscode-html-language-server' },
    ],
    args: ['--stdio'],
  },
  handshake: {
    // Without it, the check of scripts fails, and no page has any problems.
    settings: () => ({ 'js/ts': { implicitProjectConfig: {} } }),
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
    'format',
    'completions',
    'signatures',
  ],
  ready: { kind: 'immediate' },
  doubts: fileOnly,
  install: 'Install it with `lspan install vscode-html-language-server`.',
};
