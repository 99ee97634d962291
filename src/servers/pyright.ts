import { dirname } from 'node:path';
import type { ServerDefinition } from './definition.ts';
import { guardedImports } from './node-guard.ts';
import { environmentFiles, interpreter, sitePackages } from './projects/python/python-environment.ts';
import { pythonProject } from './projects/python/python-projects.ts';
import { haveSourcesChanged, pythonSources } from './projects/python/python-sources.ts';
import { languageAnswers } from './traits.ts';

const missing = /^Import "(\w+)/;

/** Pyright: types and navigation for Python. */
export const pyright: ServerDefinition = {
  id: 'pyright',
  group: 'python-types',
  rank: 20,
  extensions: { py: 'python', pyi: 'python' },
  program: {
    sources: [
      { kind: 'package', name: 'pyright', file: 'langserver.index.js', run: 'node' },
      { kind: 'path', name: 'pyright-langserver' },
    ],
    args: ['--stdio'],
    // Its settings and links may lead to any file, whose literals types then quote.
    rootEnv: guardedImports,
  },
  handshake: {
    asksForSettings: true,
    settings: (facts) => ({
      python: {
        pythonPath: interpreter(facts),
        // As editors have it, and as it is for its command line: without it, tests do not find the package in `src`.
        analysis: {
          autoSearchPaths: true,
          extraPaths: [...pythonSources(facts), ...sitePackages(facts)],
          diagnosticMode: 'openFilesOnly',
        },
      },
    }),
  },
  // Its incoming calls omit calls through an alias; asking for references too reveals that.
  answers: [...languageAnswers, 'actions', 'declaration', 'completions'],
  ready: { kind: 'log', message: /^(Found \d+ source files?|No source files found)/ },
  files: {
    // It reads a changed configuration late, and answers by the old one until then.
    restartsOn: ['pyrightconfig.json', 'pyproject.toml'],
    watchAlso: environmentFiles,
    libraryRoots: (program, facts) => [dirname(program), ...sitePackages(facts)],
  },
  projects: { ofFile: pythonProject('pyright'), isOutdated: haveSourcesChanged },
  sync: { opensCreated: true },
  disk: { imports: 'files' },
  search: { alias: /^\s+as\s+(\w+)/ },
  // Its command `createtypestub` writes stubs into the tree itself.
  edits: { commands: ['pyright.organizeimports'] },
  diagnostics: {
    missingPackages: { reportMissingImports: missing, reportMissingModuleSource: missing },
  },
  quirks: { countsByteOrderMark: true },
  install: 'Install it with `lspan install pyright`.',
};
