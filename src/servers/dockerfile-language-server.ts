import type { ServerDefinition } from './definition.ts';

/** Dockerfile: stages, variables and what is wrong in one file. */
export const dockerfileLanguageServer: ServerDefinition = {
  id: 'dockerfile-language-server',
  extensions: {
    Dockerfile: 'dockerfile',
    'Dockerfile.*': 'dockerfile',
    dockerfile: 'dockerfile',
    Containerfile: 'dockerfile',
    'Containerfile.*': 'dockerfile',
  },
  program: {
    sources: [
      {
        kind: 'package',
        name: 'dockerfile-language-server-nodejs',
        file: 'bin/docker-langserver',
        run: 'node',
      },
      { kind: 'path', name: 'docker-langserver' },
    ],
    args: ['--stdio'],
  },
  answers: ['definition', 'hover', 'outline', 'diagnostics', 'rename', 'format', 'completions', 'signatures'],
  ready: { kind: 'immediate' },
  diagnostics: { checksFilesAlone: true },
  install: 'Install it with `npm install --global dockerfile-language-server-nodejs`.',
};
