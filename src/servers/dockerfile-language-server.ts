import type { ServerDefinition } from './definition.ts';
import { guardedNode } from './node-guard.ts';

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
    // Completions after FROM ask Docker's registry, and no setting prevents it.
    rootEnv: (facts) => guardedNode(facts),
  },
  answers: ['definition', 'hover', 'outline', 'diagnostics', 'rename', 'format', 'completions', 'signatures'],
  ready: { kind: 'immediate' },
  diagnostics: { checksFilesAlone: true },
  install: 'Install it with `lspan install dockerfile-language-server`.',
};
