import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ProjectFacts, ServerDefinition } from './definition.ts';
import type { FileVerdict } from './diagnostics-facts.ts';
import { packageFiles } from './projects/node-projects.ts';
import { installations, typescriptConfigFiles, typescriptExtensions } from './typescript.ts';

const endings = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'];
const legacy = ['.eslintrc', ...['js', 'cjs', 'yaml', 'yml', 'json'].map((ending) => `.eslintrc.${ending}`)];
const configurations = [...endings.map((ending) => `eslint.config.${ending}`), ...legacy];

/** ESLint: the repository's own, with the repository's own configuration, both of which are programs. */
export const eslint: ServerDefinition = {
  id: 'eslint',
  extensions: { ...typescriptExtensions, vue: 'vue', svelte: 'svelte', astro: 'astro' },
  program: {
    sources: [
      {
        kind: 'package',
        name: 'vscode-langservers-extracted',
        file: 'bin/vscode-eslint-language-server',
        run: 'node',
      },
      { kind: 'path', name: 'vscode-eslint-language-server' },
    ],
    needsPackages: ['eslint'],
    args: ['--stdio'],
    rootEnv: besideLspan,
  },
  handshake: {
    settings: ({ root }) => ({
      '': { ...settings, workspaceFolder: { uri: pathToFileURL(root).href, name: root } },
    }),
  },
  answers: ['diagnostics', 'actions'],
  ready: { kind: 'immediate' },
  trust: {
    runs: 'the ESLint and its configuration',
    boundTo: [...configurations.map((name) => `**/${name}`), ...packageFiles],
  },
  files: { onlyBelow: configurations, watchAlso: installations, restartsOn: installations },
  projects: { markers: configurations },
  disk: { configFiles: [...typescriptConfigFiles, '.eslintignore'] },
  edits: {
    commands: [
      ...['eslint.applySingleFix', 'eslint.applySuggestion', 'eslint.applySameFixes', 'eslint.applyAllFixes'],
      ...['eslint.applyDisableLine', 'eslint.applyDisableFile'],
    ],
  },
  diagnostics: { verdict: readVerdict },
  install: 'Install it with `lspan install eslint`.',
};

/** It reads each of these, and fails if one is missing. */
const settings = {
  validate: 'on',
  run: 'onType',
  nodePath: null,
  options: {},
  experimental: {},
  problems: { shortenToSingleLine: false },
  rulesCustomizations: [],
  onIgnoredFiles: 'off',
  quiet: false,
  format: false,
  workingDirectory: { mode: 'location' },
  codeActionOnSave: { mode: 'all' },
  codeAction: {
    disableRuleComment: { enable: true, location: 'separateLine', commentStyle: 'line' },
    showDocumentation: { enable: true },
  },
} as const;

/** If the repository has no ESLint installed, the one that is installed with lspan is used. */
function besideLspan({ ownFile }: ProjectFacts): Readonly<Record<string, string>> {
  const manifest = ownFile('eslint', 'package.json');
  return manifest === undefined ? {} : { NODE_PATH: dirname(dirname(manifest)) };
}

/** It publishes an empty list even if it could not start the check, and says so only in these messages. */
function readVerdict(method: string, params: unknown): FileVerdict | undefined {
  const { uri, state, source } = fields(params);
  if (method === 'eslint/status' && typeof uri === 'string')
    return state === 1 ? { uri } : { uri, failure: 'its configuration does not work' };
  const asked = fields(source).uri ?? fields(fields(params).document).uri;
  if (typeof asked !== 'string') return undefined;
  const failure = failures.get(method);
  return failure === undefined ? undefined : { uri: asked, failure };
}

const failures: ReadonlyMap<string, string> = new Map([
  ['eslint/noLibrary', 'ESLint is not installed there'],
  ['eslint/noConfig', 'it found no configuration'],
]);

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
