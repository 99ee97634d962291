import type { ServerDefinition } from './definition.ts';
import { guardedNode, readsOnlyNamed } from './node-guard.ts';
import { completesSnippets } from './traits.ts';

/** Matches the text of a JSON or YAML schema; servers read the schemas that files name from the disk. */
export const jsonSchemas =
  /json-schema\.org|"(?:properties|\$defs|definitions|allOf|anyOf|oneOf)"[ \t]*:|^[ \t]*(?:properties|\$defs|definitions|allOf|anyOf|oneOf):/m;

/** JSON: outline, syntax, and what a schema in the file system tells. It has no definitions or references. */
export const vscodeJsonLanguageServer: ServerDefinition = {
  id: 'vscode-json-language-server',
  extensions: {
    json: 'json',
    jsonc: 'jsonc',
    webmanifest: 'json',
    // The programs that read these files allow comments in them.
    'tsconfig.*': 'jsonc',
    'jsconfig.*': 'jsonc',
    '.eslintrc': 'jsonc',
    '.eslintrc.json': 'jsonc',
    '.babelrc': 'jsonc',
    '.swcrc': 'jsonc',
    'devcontainer.json': 'jsonc',
    'settings.json': 'jsonc',
    'launch.json': 'jsonc',
    'tasks.json': 'jsonc',
    'extensions.json': 'jsonc',
    'code-workspace': 'jsonc',
  },
  program: {
    sources: [
      {
        kind: 'package',
        name: 'vscode-langservers-extracted',
        file: 'bin/vscode-json-language-server',
        run: 'node',
      },
      { kind: 'path', name: 'vscode-json-language-server' },
    ],
    args: ['--stdio'],
    // A file may name any file of the disk as its schema, whose text its messages then quote.
    rootEnv: (facts, program, named) => guardedNode(facts, readsOnlyNamed(program, named)),
  },
  handshake: {
    // It reads schemas from the disk only; by default it fetches any address that a file names.
    initializationOptions: () => ({ handledSchemaProtocols: ['file'], provideFormatter: true }),
    settings: () => ({ json: { validate: { enable: true } } }),
    clientCapabilities: completesSnippets,
  },
  answers: ['hover', 'outline', 'diagnostics', 'format', 'completions'],
  ready: { kind: 'immediate' },
  disk: { referencedTexts: jsonSchemas },
  install: 'Install it with `lspan install vscode-json-language-server`.',
};
