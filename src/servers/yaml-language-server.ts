import type { ServerDefinition } from './definition.ts';
import { guardedNode, readsOnlyNamed } from './node-guard.ts';
import { noNetwork, nowhere } from './traits.ts';
import { jsonSchemas } from './vscode-json-language-server.ts';

/** YAML: outline, anchors, syntax, and what a schema in the file system tells. It has no references. */
export const yamlLanguageServer: ServerDefinition = {
  id: 'yaml-language-server',
  extensions: { yaml: 'yaml', yml: 'yaml', '.clang-format': 'yaml', '.clangd': 'yaml' },
  program: {
    sources: [
      { kind: 'package', name: 'yaml-language-server', file: 'bin/yaml-language-server', run: 'node' },
      { kind: 'path', name: 'yaml-language-server' },
    ],
    args: ['--stdio'],
    // A file may name a schema at any address, or any file of the disk, whose text its messages then quote. No setting
    // prevents that, but this script and this proxy do.
    rootEnv: (facts, program, named) => guardedNode(facts, readsOnlyNamed(program, named)),
    env: noNetwork,
  },
  handshake: {
    settings: () => ({
      yaml: {
        validate: true,
        hover: true,
        hoverSchemaSource: false,
        schemaStore: { enable: false, url: '' },
        kubernetesCRDStore: { enable: false, url: '' },
      },
      http: { proxy: nowhere },
    }),
  },
  answers: ['definition', 'hover', 'outline', 'diagnostics', 'rename', 'actions', 'format', 'completions'],
  ready: { kind: 'immediate' },
  // It never reads a schema again.
  files: { restartsOn: ['*.json'] },
  disk: { referencedTexts: jsonSchemas },
  diagnostics: { checksFilesAlone: true },
  install: 'Install it with `lspan install yaml-language-server`.',
};
