import { expect, it } from 'vitest';
import { findProjects } from '../../src/backends/lsp/projects.ts';
import type { ServerDefinition } from '../../src/backends/lsp/server-definition.ts';

const definition: ServerDefinition = {
  id: 'x',
  extensions: { ts: 'typescript' },
  program: [],
  args: [],
  ready: { kind: 'immediate' },
  projectMarkers: ['tsconfig.json'],
  install: '',
};

it('the nearest marker above a file decides its project, and one file stands for each', () => {
  const files = [
    '/w/tsconfig.json',
    '/w/src/a.ts',
    '/w/src/b.ts',
    '/w/build.ts',
    '/w/packages/one/tsconfig.json',
    '/w/packages/one/src/c.ts',
  ];
  expect(findProjects(files, '/w', definition)).toEqual({
    representatives: ['/w/packages/one/src/c.ts', '/w/src/a.ts'],
    loose: [],
  });
});

it('files without a marker above them stand for themselves', () => {
  const files = ['/w/a.ts', '/w/b.ts', '/w/c.md', '/w/one/tsconfig.json', '/w/one/d.ts'];
  expect(findProjects(files, '/w', definition)).toEqual({
    representatives: ['/w/one/d.ts'],
    loose: ['/w/a.ts', '/w/b.ts'],
  });
});

it('files of another root are left to that root', () => {
  expect(findProjects(['/w2/a.ts', '/w/a.ts'], '/w', definition).loose).toEqual(['/w/a.ts']);
});
