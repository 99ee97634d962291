import path from 'node:path';
import { expect, it } from 'vitest';
import { usesOf } from '../../../src/backends/index/answers/uses-of.ts';
import { symbolKey } from '../../../src/backends/index/import/import-index.ts';
import { openEmbeddedStore } from '../../../src/backends/index/store/embedded-store.ts';
import { temporaryFolder } from '../../workspace/sandbox.ts';
import { add } from './adding.ts';
import { placesOf } from './store-cases.ts';
import { writeScip } from './write-scip.ts';

it('the uses of a class are also where its objects are made, though an index names the constructor there', async () => {
  const store = await openEmbeddedStore(path.join(temporaryFolder(), 'index'));
  const [cart, made] = ['w npm shop 1 `cart.ts`/Cart#', 'w npm shop 1 `cart.ts`/Cart#`<constructor>`().'];
  const occurrences: [number[], string, boolean][] = [
    [[0, 6, 10], cart, true],
    [[1, 2, 13], made, true],
    [[4, 8, 12], made, false],
    [[5, 9, 13], cart, false],
  ];
  await add(store, writeScip([{ path: 'cart.ts', occurrences }]));
  expect(placesOf((await usesOf(store, [symbolKey(cart, 'here')])).postings)).toEqual([
    'cart.ts 0:6-0:10 defined',
    'cart.ts 4:8-4:12',
    'cart.ts 5:9-5:13',
  ]);
  expect(placesOf((await usesOf(store, [symbolKey(made, 'here')])).postings)).toEqual([
    'cart.ts 1:2-1:13 defined',
    'cart.ts 4:8-4:12',
  ]);
  await store.close();
});
