import type { ServerDefinition } from './definition.ts';
import { interpreter, sitePackages } from './projects/python/python-environment.ts';
import { pythonProject } from './projects/python/python-projects.ts';
import { pythonSources } from './projects/python/python-sources.ts';
import { pyright } from './pyright.ts';

/** basedpyright: pyright with implementations, inlay hints and moves; used where pyright is not installed. */
export const basedpyright: ServerDefinition = {
  ...pyright,
  id: 'basedpyright',
  rank: 10,
  program: {
    ...pyright.program,
    sources: [
      { kind: 'package', name: 'basedpyright', file: 'langserver.index.js', run: 'node' },
      { kind: 'path', name: 'basedpyright-langserver' },
    ],
  },
  handshake: {
    ...pyright.handshake,
    settings: (facts) => ({
      python: { pythonPath: interpreter(facts) },
      basedpyright: {
        // Its default is far stricter than a project without a configuration for it expects.
        analysis: {
          autoSearchPaths: true,
          extraPaths: [...pythonSources(facts), ...sitePackages(facts)],
          diagnosticMode: 'openFilesOnly',
          typeCheckingMode: 'standard',
        },
      },
    }),
  },
  answers: [...(pyright.answers ?? []), 'moves', 'implementations', 'hints'],
  projects: { ...pyright.projects, ofFile: pythonProject('basedpyright') },
  edits: { commands: ['basedpyright.organizeimports'] },
  disk: { ...pyright.disk, configFiles: ['.basedpyright/baseline.json'] },
  install: 'Install it with `lspan install basedpyright`.',
};
