import { dirname } from 'node:path';
import type { ProjectFacts, ServerDefinition, Service } from './definition.ts';
import { packageFiles } from './projects/node-projects.ts';
import { installations, typescriptExtensions, typescriptSetUp } from './typescript.ts';
import { typescriptLanguageServer } from './typescript-language-server.ts';

/** What both would run, since neither can be told not to: `vueCompilerOptions.plugins` are required as modules. */
const needsTrust = 'the Vue compiler plugins that a tsconfig.json names';
const trustBinds = ['**/tsconfig*.json', '**/jsconfig*.json', ...packageFiles];

/** Vue's own server: outlines, templates and styles of components. What TypeScript knows it asks of the next one. */
export const vue: ServerDefinition = {
  id: 'vue',
  rank: 40,
  extensions: { vue: 'vue' },
  needsTrust,
  trustBinds,
  program: [
    { kind: 'package', name: '@vue/language-server', file: 'bin/vue-language-server.js', run: 'node' },
    { kind: 'path', name: 'vue-language-server' },
  ],
  args: ['--stdio'],
  rootArgs: ({ ownFile }) => {
    const typescript = ownFile('typescript-5', 'lib/typescript.js');
    return typescript === undefined ? [] : [`--tsdk=${dirname(typescript)}`];
  },
  // It takes these lists for granted.
  settings: () => ({ html: { customData: [] }, css: { customData: [] } }),
  answers: ['outline', 'diagnostics', 'format', 'completions', 'hints'],
  relays: [
    {
      ask: 'tsserver/request',
      to: 'vue-typescript',
      command: 'typescript.tsserverRequest',
      reply: 'tsserver/response',
    },
  ],
  ready: { kind: 'immediate' },
  projectMarkers: ['tsconfig.json', 'jsconfig.json'],
  setUpBy: typescriptSetUp,
  watchAlso: installations,
  restartsOn: installations,
  install: 'Install it with `npm install --global @vue/language-server @vue/typescript-plugin`.',
};

/** tsserver with Vue's plugin: TypeScript in components, and from other files into them. */
export const vueTypescript: ServerDefinition = {
  ...typescriptLanguageServer,
  id: 'vue-typescript',
  rank: 30,
  extensions: { ...typescriptExtensions, vue: 'vue' },
  onlyBeside: ['vue'],
  needsTrust,
  trustBinds,
  program: typescriptLanguageServer.program,
  initializationOptions: (facts, program) => ({ ...optionsBelow(facts, program), plugins: pluginOf(facts) }),
  // TypeScript alone lays out its files as well, and Vue's own server components.
  answers: [
    'definition',
    'references',
    'hover',
    'outline',
    'symbols',
    'diagnostics',
    'rename',
    'moves',
    'actions',
    'type',
    'implementations',
    'calls',
    'signatures',
  ],
  doubts: withoutVue,
  install: vue.install,
};

function optionsBelow(facts: ProjectFacts, program: string): object {
  const options = typescriptLanguageServer.initializationOptions?.(facts, program);
  return typeof options === 'object' && options !== null ? options : {};
}

function pluginOf({ ownFile }: ProjectFacts): readonly object[] {
  const name = '@vue/typescript-plugin';
  const manifest = ownFile(name, 'package.json');
  return manifest === undefined ? [] : [{ name, location: dirname(manifest), languages: ['vue'] }];
}

/** Without Vue's types, a template's expressions have no types, and what they use is not found. */
function withoutVue({ root, exists, ownFile }: ProjectFacts, service: Service) {
  const isInstalled = upwards(root).some((folder) => exists(`${folder}/node_modules/vue/package.json`));
  const noPlugin = ownFile('@vue/typescript-plugin', 'package.json') === undefined;
  if (service === 'outline' || (isInstalled && !noPlugin)) return [];
  const detail = noPlugin
    ? 'Components are not seen: @vue/typescript-plugin is not installed beside lspan.'
    : 'What templates use is not known: Vue is not installed in this folder. Install its packages.';
  return [{ kind: 'project_not_loaded', detail } as const];
}

function upwards(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...upwards(above)];
}
