import type { ServerDefinition } from './definition.ts';
import { packageFiles } from './projects/node-projects.ts';
import { installations, typescriptExtensions, typescriptSetUp } from './typescript.ts';

const configurations = [
  '.oxlintrc.json',
  '.oxlintrc.jsonc',
  'oxlint.config.ts',
  'oxlint.config.mts',
] as const;

/** Oxlint: lint of JavaScript and TypeScript. */
export const oxlint: ServerDefinition = {
  id: 'oxlint',
  extensions: { ...typescriptExtensions, vue: 'vue', svelte: 'svelte', astro: 'astro' },
  onlyBelow: configurations,
  // `jsPlugins` are imported, a configuration may be a program, and `typeAware` runs what lies in node_modules.
  needsTrust: 'the Oxlint plugins and configuration',
  trustBinds: [...configurations.map((name) => `**/${name}`), ...packageFiles],
  program: [
    { kind: 'package', name: 'oxlint', file: 'bin/oxlint', run: 'node' },
    { kind: 'path', name: 'oxlint' },
  ],
  args: ['--lsp'],
  answers: ['diagnostics', 'actions'],
  // Until it has read its configuration it reports no problems; then it asks for the files to watch.
  ready: { kind: 'registration' },
  projectMarkers: configurations,
  setUpBy: [...typescriptSetUp, '.eslintignore'],
  watchAlso: installations,
  restartsOn: installations,
  install: 'Install it with `npm install --global oxlint`.',
};
