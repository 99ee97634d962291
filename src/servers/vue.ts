import { dirname } from 'node:path';
import type { ProjectFacts, ServerDefinition, Service } from './definition.ts';
import { packageFiles } from './projects/node-projects.ts';
import { languageAnswers } from './traits.ts';
import { installations, typescriptConfigFiles, typescriptExtensions } from './typescript.ts';
import { typescriptLanguageServer } from './typescript-language-server.ts';

/** Both servers load `vueCompilerOptions.plugins` as modules, and neither has a setting against it. */
const trust = {
  runs: 'the Vue compiler plugins named in tsconfig.json',
  boundTo: ['**/tsconfig*.json', '**/jsconfig*.json', ...packageFiles],
};

/** Vue's own server: outlines, templates and styles of components. What TypeScript knows it asks of the next one. */
export const vue: ServerDefinition = {
  id: 'vue',
  rank: 40,
  extensions: { vue: 'vue' },
  program: {
    sources: [
      { kind: 'package', name: '@vue/language-server', file: 'bin/vue-language-server.js', run: 'node' },
      { kind: 'path', name: 'vue-language-server' },
    ],
    needsPackages: ['@vue/typescript-plugin'],
    args: ['--stdio'],
    rootArgs: ({ ownFile }) => {
      const typescript = ownFile('typescript-5', 'lib/typescript.js');
      return typescript === undefined ? [] : [`--tsdk=${dirname(typescript)}`];
    },
  },
  // It assumes that these lists exist.
  handshake: { settings: () => ({ html: { customData: [] }, css: { customData: [] } }) },
  answers: ['outline', 'diagnostics', 'format', 'completions', 'hints'],
  ready: { kind: 'immediate' },
  trust,
  files: { watchAlso: installations, restartsOn: installations },
  projects: { markers: ['tsconfig.json', 'jsconfig.json'] },
  disk: { configFiles: typescriptConfigFiles },
  quirks: {
    relays: [
      {
        ask: 'tsserver/request',
        to: 'vue-typescript',
        command: 'typescript.tsserverRequest',
        reply: 'tsserver/response',
      },
    ],
  },
  install: 'Install it with `lspan install vue`.',
};

/** tsserver with Vue's plugin: TypeScript in components, and from other files into them. */
export const vueTypescript: ServerDefinition = {
  ...typescriptLanguageServer,
  id: 'vue-typescript',
  rank: 30,
  extensions: { ...typescriptExtensions, vue: 'vue' },
  handshake: {
    ...typescriptLanguageServer.handshake,
    initializationOptions: (facts, program) => ({
      ...optionsBelow(facts, program),
      plugins: pluginOf(facts),
    }),
  },
  // No formatting: plain TypeScript formats its files as well, and Vue's own server formats components.
  answers: [...languageAnswers, 'moves', 'actions', 'implementations'],
  doubts: withoutVue,
  trust,
  files: { ...typescriptLanguageServer.files, onlyWithExtensions: ['vue'] },
  install: vue.install,
};

function optionsBelow(facts: ProjectFacts, program: string): object {
  const options = typescriptLanguageServer.handshake?.initializationOptions?.(facts, program);
  return typeof options === 'object' && options !== null ? options : {};
}

function pluginOf({ ownFile }: ProjectFacts): readonly object[] {
  const name = '@vue/typescript-plugin';
  const manifest = ownFile(name, 'package.json');
  return manifest === undefined ? [] : [{ name, location: dirname(manifest), languages: ['vue'] }];
}

/** Without Vue's types, template expressions have no types, and searches miss the symbols that they use. */
function withoutVue({ root, exists, ownFile }: ProjectFacts, service: Service) {
  const isInstalled = upwards(root).some((folder) => exists(`${folder}/node_modules/vue/package.json`));
  const noPlugin = ownFile('@vue/typescript-plugin', 'package.json') === undefined;
  if (service === 'outline' || (isInstalled && !noPlugin)) return [];
  const detail = noPlugin
    ? 'Components are missing: @vue/typescript-plugin is not installed with lspan.'
    : 'Uses in templates are missing: Vue is not installed in this folder. Install its packages.';
  return [{ kind: 'project_not_loaded', detail } as const];
}

function upwards(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...upwards(above)];
}
