import { describe, expect, it } from 'vitest';
import { symbolKey } from '../../../src/backends/index/import/import-index.ts';
import type { IndexStore, Posting } from '../../../src/backends/index/store/index-store.ts';
import { limits } from '../../../src/core/limits.ts';
import { add } from './adding.ts';
import { indexWords, writeScip } from './write-scip.ts';

/** Opens the store of a test; called again, it opens the same store for another user. */
export type OpenStore = () => Promise<IndexStore>;

/** The cases that hold for every store. `prepare` makes an empty one for a test. */
export function storeCases(prepare: () => Promise<OpenStore>): void {
  describe('an index', () => {
    it('has the places of a symbol in every repository, with their texts', async () => {
      const store = await (await prepare())();
      const files = { 'a.txt': 'function alpha\nalpha beta', 'b.txt': 'x\n  alpha' };
      await add(store, indexWords(files), { files });
      await add(store, indexWords({ 'c.txt': 'alpha function alpha' }, { version: '2.0' }), {
        repository: 'web',
      });
      expect(placesOf(await store.postings([keyOf('alpha')], 100))).toEqual([
        'a.txt 0:9-0:14 defined',
        'a.txt 1:0-1:5',
        'b.txt 1:2-1:7',
        'c.txt 0:0-0:5',
        'c.txt 0:15-0:20 defined',
      ]);
      const known = await store.symbols([keyOf('alpha')]);
      expect(known.map(({ symbol }) => symbol).sort()).toEqual([symbolOf('alpha'), symbolOf('alpha', '2.0')]);
      const here = (await store.list()).find(({ repository }) => repository === 'here');
      const document = await store.document(here?.id ?? 0, 'b.txt');
      if (!document) throw new Error('there is no b.txt');
      expect(document.hash).toMatch(/^[0-9a-f]{64}$/);
      expect((await store.content(document))?.text).toBe(files['b.txt']);
      expect((await store.documents(here?.id ?? 0)).map((one) => one.path)).toEqual(['a.txt', 'b.txt']);
      await store.close();
    });

    it('replaces the earlier one of the same repository and indexer, and no other', async () => {
      const store = await (await prepare())();
      await add(store, indexWords({ 'a.txt': 'function alpha' }));
      await add(store, indexWords({ 'a.txt': 'function alpha' }), { repository: 'web' });
      await add(store, writeScip([{ path: 'p.py', occurrences: [] }], 'python'), {});
      const after = await add(store, indexWords({ 'b.txt': 'function alpha' }), { commit: 'f00' });
      expect(after).toMatchObject({ repository: 'here', commit: 'f00', documents: 1, occurrences: 1 });
      expect((await store.list()).map(({ repository, tool }) => `${repository} ${tool}`).sort()).toEqual([
        'here python 1.0',
        'here words 1.0',
        'web words 1.0',
      ]);
      expect(placesOf(await store.postings([keyOf('alpha')], 100))).toEqual([
        'a.txt 0:9-0:14 defined',
        'b.txt 0:9-0:14 defined',
      ]);
      expect(await store.remove('here')).toBe(2);
      expect(await store.remove('here')).toBe(0);
      expect(placesOf(await store.postings([keyOf('alpha')], 100))).toEqual(['a.txt 0:9-0:14 defined']);
      expect(await store.verify()).toEqual([]);
      await store.close();
    });

    it('finds defined symbols by the beginning of their name, in any case, and what implements them', async () => {
      const store = await (await prepare())();
      const [base, heir] = ['w test p 1 Shape#', 'w test p 1 Shaper#'];
      const occurrences: [number[], string, boolean][] = [
        [[0, 0, 5], base, true],
        [[1, 0, 6], heir, true],
        [[2, 0, 1], 'w test q 1 shapeless().', false],
      ];
      const symbols = [
        { symbol: base, documentation: 'A shape.' },
        { symbol: heir, implements: [base] },
      ];
      await add(store, writeScip([{ path: 'a', occurrences, symbols }]));
      expect((await store.named('sHAPE', 10)).map(({ name }) => name)).toEqual(['Shape', 'Shaper']);
      expect(await store.named('sHAPE', 1)).toHaveLength(1);
      expect(await store.named('hape', 10)).toEqual([]);
      const [found] = await store.symbols([symbolKey(base, 'here')]);
      expect(found).toMatchObject({ documentation: 'A shape.', kind: 'class', isDefined: true });
      expect(await store.implementers([symbolKey(base, 'here')])).toEqual([symbolKey(heir, 'here')]);
      await store.close();
    });

    it('keeps the text of a symbol that is mentioned first, and described later where it is not defined', async () => {
      const store = await (await prepare())();
      const symbol = 'w test p 1 Shape#';
      const mention = { path: 'a', occurrences: [[[0, 0, 5], symbol, false]] as const };
      const described = { path: 'b', occurrences: [], symbols: [{ symbol, documentation: 'A shape.' }] };
      const defined = { path: 'c', occurrences: [[[0, 0, 5], symbol, true]] as const };
      await add(store, writeScip([mention, described, defined]));
      const [found] = await store.symbols([symbolKey(symbol, 'here')]);
      expect(found).toMatchObject({ documentation: 'A shape.', isDefined: true });
      await store.close();
    });

    it('lists no more documents than asked for', async () => {
      const store = await (await prepare())();
      const files = Object.fromEntries(
        Array.from({ length: 30 }, (_, at) => [`${at}.txt`, 'function alpha']),
      );
      await add(store, indexWords(files));
      expect(await store.postings([keyOf('alpha')], 7)).toHaveLength(7);
      await store.close();
    });
  });

  describe('an import', () => {
    it('IDX-01 that fails or is cancelled changes nothing, and the old index still serves', async () => {
      const store = await (await prepare())();
      await add(store, indexWords({ 'a.txt': 'function alpha' }));
      const before = await store.list();
      const broken = indexWords({ 'a.txt': 'function beta', 'b.txt': 'beta' });
      await expect(add(store, broken.subarray(0, broken.length - 3))).rejects.toMatchObject({
        code: 'invalid_input',
      });
      const caller = new AbortController();
      const cancelled = add(store, broken, { signal: caller.signal, onDocument: () => caller.abort() });
      await expect(cancelled).rejects.toThrow();
      expect(await store.list()).toEqual(before);
      expect(placesOf(await store.postings([keyOf('alpha'), keyOf('beta')], 9))).toEqual([
        'a.txt 0:9-0:14 defined',
      ]);
      await store.close();
    });

    it('IDX-01 is seen by other users when it is whole, and not before', async () => {
      const open = await prepare();
      const [writer, reader] = [await open(), await open()];
      await add(writer, indexWords({ 'a.txt': 'function alpha' }));
      const seen: string[][] = [];
      const files = { 'b.txt': 'function alpha', 'c.txt': 'alpha', 'd.txt': 'alpha' };
      let looked = Promise.resolve();
      const onDocument = () => {
        looked = looked.then(
          async () => void seen.push(placesOf(await reader.postings([keyOf('alpha')], 9))),
        );
      };
      const adding = add(writer, indexWords(files), { onDocument });
      await adding;
      await looked;
      expect(placesOf(await reader.postings([keyOf('alpha')], 9))).toHaveLength(3);
      expect(seen).toHaveLength(3);
      for (const one of seen) expect([1, 3]).toContain(one.length);
      await Promise.all([writer.close(), reader.close()]);
    });

    it('IDX-03 may run beside others: each is whole at the end', async () => {
      const open = await prepare();
      const names = Array.from(
        { length: 2 * limits.index.segments },
        (_, at) => `r${at % (limits.index.segments + 2)}`,
      );
      const stores = await Promise.all(names.map(() => open()));
      await Promise.all(
        names.map((repository, at) =>
          add(stores[at] ?? failed(), indexWords({ 'a.txt': 'function alpha', 'b.txt': 'alpha' }), {
            repository,
          }),
        ),
      );
      const store = await open();
      expect((await store.list()).map(({ repository }) => repository)).toEqual([...new Set(names)].sort());
      expect(await store.postings([keyOf('alpha')], 100)).toHaveLength(2 * new Set(names).size);
      expect(await store.verify()).toEqual([]);
      await Promise.all([...stores, store].map((one) => one.close()));
    });
  });
}

function failed(): never {
  throw new Error('there is no such store');
}

/** Returns the symbol of a word of the words language. */
export function symbolOf(word: string, version = '1.0.0'): string {
  return `words test words ${version} ${word}().`;
}

/** Returns the key of a word of the words language. */
export function keyOf(word: string): bigint {
  return symbolKey(symbolOf(word), 'here');
}

/** Returns places as texts, in order. */
export function placesOf(postings: readonly Posting[]): string[] {
  return postings
    .flatMap(({ document: { path }, occurrences }) =>
      occurrences.map((one) => {
        const range = `${one.startLine}:${one.startColumn}-${one.endLine}:${one.endColumn}`;
        return `${path} ${range}${one.isDefinition ? ' defined' : ''}`;
      }),
    )
    .sort();
}
