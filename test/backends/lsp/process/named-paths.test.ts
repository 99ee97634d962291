import { expect, it } from 'vitest';
import { absolutePathsIn } from '../../../../src/backends/lsp/process/named-paths.ts';

it('finds the absolute paths in settings, as keys, values and URIs', () => {
  const settings = {
    yaml: {
      schemas: { '/home/me/a.json': ['*.yaml'], 'file:///home/me/b%20c.json': '*.yml', './d.json': 'e' },
    },
    list: [{ path: '/home/me/f' }, 7, null, undefined, true],
  };
  expect(absolutePathsIn(settings)).toEqual(['/home/me/a.json', '/home/me/b c.json', '/home/me/f']);
});

it('never takes a whole disk, nor what is no file of this machine', () => {
  expect(absolutePathsIn(['/', '//', '/.', 'file:///', 'file://host/a', 'https://host/a', ''])).toEqual([]);
});
