import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openEmbeddedStore } from '../../../src/backends/index/store/embedded-store.ts';
import { LspanError } from '../../../src/core/errors.ts';
import { temporaryFolder } from '../../workspace/sandbox.ts';
import { add } from './adding.ts';
import { keyOf, placesOf } from './store-cases.ts';
import { indexWords, type TestDocument, writeScip } from './write-scip.ts';

describe('IDX-07 the units of columns', () => {
  const text = 'é🎉 alpha_beta_gamma; alpha_beta_gamma';
  const name = 'alpha_beta_gamma';
  const symbol = `words test words 1.0.0 ${name}().`;
  const units: Readonly<Record<string, (before: string) => number>> = {
    'utf-8': (before) => Buffer.byteLength(before),
    'utf-16': (before) => before.length,
    'utf-32': (before) => [...before].length,
  };
  const documentIn = (encoding: string, told?: number): TestDocument => {
    const count = units[encoding] ?? (() => 0);
    const starts = [text.indexOf(name), text.lastIndexOf(name)];
    const places = starts.map((start) => [
      0,
      count(text.slice(0, start)),
      count(text.slice(0, start + name.length)),
    ]);
    const occurrences = places.map((range) => [range, symbol] as const);
    return { path: 'a.txt', occurrences, ...(told === undefined ? {} : { encoding: told }) };
  };

  it.each(Object.keys(units))(
    'are found out by the text where an index in %s does not tell',
    async (encoding) => {
      const store = await open();
      const added = await add(store, writeScip([documentIn(encoding)]), { files: { 'a.txt': text } });
      expect(added.unverified).toBe(0);
      expect(placesOf(await store.postings([keyOf(name)], 9))).toEqual(['a.txt 0:22-0:38', 'a.txt 0:4-0:20']);
      await store.close();
    },
  );

  it('are those that an index tells', async () => {
    const store = await open();
    await add(store, writeScip([documentIn('utf-8', 1)]), { files: { 'a.txt': text } });
    expect(placesOf(await store.postings([keyOf(name)], 9))).toEqual(['a.txt 0:22-0:38', 'a.txt 0:4-0:20']);
    await store.close();
  });
});

describe('IDX-06 a file that is not the one that was indexed', () => {
  const indexed = { 'a.txt': 'function alpha\nfunction beta\nalpha beta alpha\nbeta' };

  it('has neither hash nor text in the store', async () => {
    const store = await open();
    const shorter = { 'a.txt': 'function alpha' };
    const added = await add(store, indexWords(indexed), { files: shorter });
    expect(added).toMatchObject({ documents: 1, unverified: 1 });
    const document = await store.document(added.id, 'a.txt');
    expect(document?.hash).toBe('');
    expect(document && (await store.content(document))?.text).toBeUndefined();
    await store.close();
  });

  it('is known by its names where its ranges would fit', async () => {
    const store = await open();
    const other = { 'a.txt': 'x'.repeat(20).concat('\n').repeat(5) };
    expect(await add(store, indexWords(indexed), { files: other })).toMatchObject({ unverified: 1 });
    await store.close();
  });

  it('is known by words that its ranges cut, even if most names are where they were', async () => {
    const store = await open();
    const words = Array.from({ length: 30 }, (_, at) => `function word${at}`).join('\n');
    const moved = { 'a.txt': `${words}\n  function last` };
    expect(
      await add(store, indexWords({ 'a.txt': `${words}\nfunction last` }), { files: moved }),
    ).toMatchObject({ unverified: 1 });
    await store.close();
  });

  it('is a reason to refuse an index of the working tree if most files are so', async () => {
    const store = await open();
    const adding = { files: { 'a.txt': 'short' }, mustFit: true };
    const error = await add(store, indexWords(indexed), adding).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(LspanError);
    expect(error).toMatchObject({ code: 'stale', nextStep: expect.stringContaining('--commit') });
    expect(await store.list()).toEqual([]);
    await store.close();
  });
});

describe('an index', () => {
  it('with one document twice, or with none, is refused', async () => {
    const store = await open();
    const twice = writeScip([
      { path: 'a', occurrences: [] },
      { path: 'a', occurrences: [] },
    ]);
    await expect(add(store, twice)).rejects.toThrow(/is in it twice/);
    await expect(add(store, writeScip([]))).rejects.toThrow(/no documents/);
    await store.close();
  });

  it('is stored without its texts if that is wanted', async () => {
    const store = await open();
    const files = { 'a.txt': 'function alpha' };
    const { id } = await add(store, indexWords(files), { files, keepsTexts: false });
    const document = await store.document(id, 'a.txt');
    expect(document?.hash).not.toBe('');
    expect(document && (await store.content(document))?.text).toBeUndefined();
    await store.close();
  });
});

function open() {
  return openEmbeddedStore(path.join(temporaryFolder(), 'index'));
}
