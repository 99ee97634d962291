// The windows of VS Code that are opened, one after the other: each with a project, settings of the machine, and suites.
import { tryFromOutside } from './outside.js';
import { twoPackages } from './projects.js';
import { port, tryTrust } from './trust.js';

/** Settings with which the gateway runs. */
const on = { 'mcpLspGateway.enabled': true, 'mcpLspGateway.port': 0 };

/** A repository that would like to decide about the gateway, which is not asked. */
const withWishes = {
  ...twoPackages,
  'words/a.txt': 'function alpha\n',
  'words/b.txt': 'alpha\n',
  '.vscode/settings.json': JSON.stringify({
    'mcpLspGateway.enabled': true,
    'mcpLspGateway.port': 3999,
    'mcpLspGateway.surface': 'lspan',
    'mcpLspGateway.additionalAllowedRoots': ['/'],
  }),
};

export const sessions = [
  { name: 'cases', suites: ['shared'], files: { 'readme.md': '# Words\n' }, settings: {} },
  { name: 'gateway', suites: ['gateway'], files: twoPackages, settings: on },
  { name: 'settings', suites: ['settings'], files: withWishes, settings: on },
  { name: 'outside', suites: ['outside'], files: twoPackages, settings: on, outside: tryFromOutside },
  {
    name: 'edits',
    suites: ['edits'],
    files: twoPackages,
    settings: { ...on, 'mcpLspGateway.surface': 'lspan' },
  },
  { name: 'off', suites: ['quiet'], files: withWishes, settings: {} },
  { name: 'restricted', suites: ['restricted'], files: twoPackages, settings: on, trusting: false },
  {
    name: 'trust',
    suites: [],
    files: twoPackages,
    settings: { ...on, 'mcpLspGateway.port': port },
    trusting: false,
    outside: tryTrust,
  },
];
