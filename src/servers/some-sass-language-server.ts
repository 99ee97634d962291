import { dirname } from 'node:path';
import type { ServerDefinition } from './definition.ts';
import { guardedNode } from './node-guard.ts';

/** Some Sass: SCSS and indented Sass over all files of the workspace. */
export const someSassLanguageServer: ServerDefinition = {
  id: 'some-sass-language-server',
  group: 'style-sheets',
  rank: 20,
  extensions: { scss: 'scss', sass: 'sass' },
  program: {
    sources: [
      {
        kind: 'package',
        name: 'some-sass-language-server',
        file: 'bin/some-sass-language-server',
        run: 'node',
      },
      { kind: 'path', name: 'some-sass-language-server' },
    ],
    args: ['--stdio'],
    // It follows links out of the workspace, over the whole disk, and no setting prevents it.
    rootEnv: (facts, program) => guardedNode(facts, { readable: [facts.root, dirname(dirname(program))] }),
  },
  // Only at this level does it log that it has read the workspace.
  handshake: { settings: () => ({ somesass: { workspace: { logLevel: 'debug' } } }) },
  ready: { kind: 'log', message: /Initial scan finished/ },
  // It reads changed files only after it has answered the next request.
  files: { restartsOn: ['*.scss', '*.sass', '*.css'] },
  install: 'Install it with `lspan install some-sass-language-server`.',
};
