import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { entries, readApi } from './read-api.ts';
import { renderReference, renderSurface } from './render-api.ts';

const root = path.resolve(import.meta.dirname, '../..');

it.each([
  ['test/pins/api.txt', renderSurface],
  ['docs/api.md', renderReference],
])('%s lists exactly what programs can import', (name, render) => {
  const file = path.join(root, name);
  const present = render();
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, present);
  expect(present).toBe(readFileSync(file, 'utf8'));
});

it.each(entries())(
  '$name exports what it declares and nothing else, and every export has a comment',
  async (entry) => {
    const items = readApi(entry.module);
    const values = items.filter(({ kind }) => kind === 'value');
    const module: object = await import(pathToFileURL(entry.module).href);
    expect(Object.keys(module).sort()).toEqual(values.map(({ name }) => name).sort());
    expect(items.filter(({ about }) => about === '').map(({ name }) => name)).toEqual([]);
  },
);
