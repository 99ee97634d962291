import { describe, expect, it } from 'vitest';
import { KnownPackages } from '../../src/workspace/known-packages.ts';
import { documentOf } from '../../src/workspace/texts/document.ts';

/** A workspace of texts that can be changed, with a count of the files that were read. */
function world(texts: Record<string, string>) {
  const seen = { reads: 0 };
  const known = new KnownPackages({
    files: () => Object.keys(texts),
    read: async (path) => {
      seen.reads += 1;
      const text = texts[path];
      if (text === undefined) throw new Error('not there');
      return documentOf(path, text);
    },
  });
  const sources = async (module: string) => (await known.packages()).sources(module, '/w/b/src/b.ts');
  return { texts, seen, known, sources };
}

const files = {
  '/w/a/package.json': '{ "name": "@x/a", "exports": "./dist/index.js" }',
  '/w/a/src/index.ts': 'export const alpha = 1;\n',
  '/w/a/src/other.ts': 'export const beta = 1;\n',
  '/w/b/src/b.ts': 'import { alpha } from "@x/a";\n',
};

describe('the packages of a workspace', () => {
  it('are read once, as long as no manifest changes', async () => {
    const { seen, known, sources } = world({ ...files });
    expect(await sources('@x/a')).toEqual(['/w/a/src/index.ts']);
    const { reads } = seen;
    known.note([{ path: '/w/b/src/b.ts', kind: 'changed' }]);
    expect(await sources('@x/a')).toEqual(['/w/a/src/index.ts']);
    expect(seen.reads).toBe(reads);
  });

  it('are read anew when a manifest has changed', async () => {
    const { texts, known, sources } = world({ ...files });
    expect(await sources('@x/a')).toEqual(['/w/a/src/index.ts']);
    texts['/w/a/package.json'] = '{ "name": "@x/a", "exports": "./dist/other.js" }';
    known.note([{ path: '/w/a/package.json', kind: 'changed' }]);
    expect(await sources('@x/a')).toEqual(['/w/a/src/other.ts']);
  });

  it.each(['created', 'deleted'] as const)('are read anew when a file was %s', async (kind) => {
    const { texts, known, sources } = world({ ...files });
    expect(await sources('../../a/src/third')).toEqual([]);
    texts['/w/a/src/third.ts'] = '';
    known.note([{ path: '/w/a/src/third.ts', kind }]);
    expect(await sources('../../a/src/third')).toEqual(['/w/a/src/third.ts']);
  });

  it('are read anew when a configuration that one extends has come or changed', async () => {
    const { texts, known, sources } = world({
      ...files,
      '/w/b/tsconfig.json': '{ "extends": "../base.json" }',
    });
    expect(await sources('#a')).toEqual([]);
    const mapped = (target: string) => `{ "compilerOptions": { "paths": { "#a": ["${target}"] } } }`;
    texts['/w/base.json'] = mapped('./a/src/index.ts');
    known.note([{ path: '/w/base.json', kind: 'created' }]);
    expect(await sources('#a')).toEqual(['/w/a/src/index.ts']);
    texts['/w/base.json'] = mapped('./a/src/other.ts');
    known.note([{ path: '/w/base.json', kind: 'changed' }]);
    expect(await sources('#a')).toEqual(['/w/a/src/other.ts']);
  });
});
