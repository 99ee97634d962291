import type { ServerDefinition } from './definition.ts';
import { packageFiles } from './projects/node-projects.ts';
import { installations, typescriptConfigFiles, typescriptExtensions } from './typescript.ts';

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
  program: {
    sources: [
      { kind: 'package', name: 'oxlint', file: 'bin/oxlint', run: 'node' },
      { kind: 'path', name: 'oxlint' },
    ],
    args: ['--lsp'],
  },
  answers: ['diagnostics', 'actions'],
  // It reports no problems until it has read its configuration; then it registers for watched files.
  ready: { kind: 'registration' },
  trust: {
    // It imports `jsPlugins`, a configuration may be a program, and `typeAware` runs code in node_modules.
    runs: 'the Oxlint plugins and configuration',
    boundTo: [...configurations.map((name) => `**/${name}`), ...packageFiles],
  },
  files: { onlyBelow: configurations, watchAlso: installations, restartsOn: installations },
  projects: { markers: configurations },
  disk: { configFiles: [...typescriptConfigFiles, '.eslintignore'] },
  install: 'Install it with `lspan install oxlint`.',
};
