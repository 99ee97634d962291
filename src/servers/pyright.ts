import { dirname } from 'node:path';
import type { ServerDefinition } from './definition.ts';
import { environmentFiles, sitePackages } from './projects/python-environment.ts';
import { pythonProject } from './projects/python-projects.ts';

/** Pyright: types and navigation for Python. */
export const pyright: ServerDefinition = {
  id: 'pyright',
  group: 'python-types',
  rank: 20,
  extensions: { py: 'python', pyi: 'python' },
  program: [
    { kind: 'package', name: 'pyright', file: 'langserver.index.js', run: 'node' },
    { kind: 'path', name: 'pyright-langserver' },
  ],
  args: ['--stdio'],
  answers: [
    'definition',
    'references',
    'hover',
    'outline',
    'symbols',
    'diagnostics',
    'rename',
    'actions',
    'declaration',
    'type',
    // It leaves out calls by the name of an alias, which is found out by asking for references too.
    'calls',
    'completions',
    'signatures',
  ],
  settings: (facts) => ({
    python: { analysis: { extraPaths: sitePackages(facts), diagnosticMode: 'openFilesOnly' } },
  }),
  ready: { kind: 'log', message: /^(Found \d+ source files?|No source files found)/ },
  projectOf: pythonProject('pyright'),
  // It writes stubs into the tree by itself.
  commandsBeyondEdits: /createtypestub$/i,
  renames: /^\s+as\s+(\w+)/,
  opensCreated: true,
  importsFromDisk: 'files',
  countsMark: true,
  // It reads its configuration anew after a while, and answers by the old one until then.
  restartsOn: ['pyrightconfig.json', 'pyproject.toml'],
  watchAlso: environmentFiles,
  libraryRoots: (program, facts) => [dirname(program), ...sitePackages(facts)],
  install: 'Install it with `npm install --global pyright`.',
};
