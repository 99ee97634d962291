import { rmSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beginCall } from '../../../src/core/call.ts';
import { withSeed } from '../../with-seed.ts';
import { openSandbox, temporaryFolder, writeFiles } from '../sandbox.ts';

async function openIndex(files: Readonly<Record<string, string | Buffer>>) {
  const folder = temporaryFolder(files);
  const sandbox = await openSandbox([folder]);
  const mentioning = async (name: string) => {
    await sandbox.refresh();
    using call = beginCall({ time: 60_000 });
    const found = await sandbox.workspace.mentioning(name, call);
    return found?.map((file) => sandbox.workspace.show(file));
  };
  const containing = async (name: string) => {
    await sandbox.refresh();
    using call = beginCall({ time: 60_000 });
    const found = await sandbox.workspace.containing(name, call);
    return found?.map((file) => sandbox.workspace.show(file));
  };
  return { folder, mentioning, containing };
}

describe('the text index', () => {
  it('returns the files that contain a word, sorted by path', async () => {
    const { mentioning } = await openIndex({
      'b.ts': 'total();',
      'a/c.md': 'The total, and more.',
      'none.ts': 'subtotal(); totals(); _total; total1',
    });
    expect(await mentioning('total')).toEqual(['a/c.md', 'b.ts']);
  });

  it('returns the files with a part of a word in any case, and reads them again after a change', async () => {
    const { folder, containing } = await openIndex({
      'b.c': 'int Ring_Push(void);',
      'a/c.py': 'ringing = 1',
      'both.ts': 'cart.subtotal()',
      'none.ts': 'r_ing',
      'picture.png': Buffer.from([0, 1, 2, ...Buffer.from('ring')]),
    });
    expect(await containing('ring')).toEqual(['a/c.py', 'b.c']);
    expect(await containing('ring_p')).toEqual(['b.c']);
    expect(await containing('Cart.total')).toEqual(['both.ts']);
    expect(await containing('…')).toBeUndefined();
    writeFiles(folder, { 'none.ts': 'String', 'b.c': '' });
    expect(await containing('ring')).toEqual(['a/c.py', 'none.ts']);
  });

  it.each([
    ['$store', ['dollar.js', 'shell.sh']],
    ['store', ['dollar.js', 'shell.sh']],
    ['größe', ['umlaut.py']],
    ['変数', ['kanji.py']],
    ['quoted', ['marks.md']],
    ['first-line', ['style.css']],
    ['ns::deep', ['cpp.cc']],
  ])('finds %s as the languages spell it', async (name, expected) => {
    const { mentioning } = await openIndex({
      'dollar.js': 'const $store = 1;',
      'shell.sh': 'echo $store',
      'umlaut.py': 'größe = 1',
      'kanji.py': '変数=1',
      'marks.md': 'a “quoted” word',
      'style.css': '.first-line { color: red }',
      'half.css': '.first { color: red }',
      'cpp.cc': 'ns::deep x;',
    });
    expect(await mentioning(name)).toEqual(expected);
  });

  it.each(['', '+', '42', '== ->'])('returns nothing for %j, which contains no word', async (name) => {
    const { mentioning } = await openIndex({ 'a.ts': '42 + 1' });
    expect(await mentioning(name)).toBeUndefined();
  });

  it('leaves out binary and ignored files', async () => {
    const { mentioning } = await openIndex({
      '.gitignore': 'out/\n',
      'out/a.js': 'word',
      'b.bin': Buffer.from('word\0word'),
      'c.js': 'word',
    });
    expect(await mentioning('word')).toEqual(['c.js']);
  });

  it('stays current when files change, come, go, move or are ignored', async () => {
    const { folder, mentioning } = await openIndex({ 'a.ts': 'word', 'b.ts': 'other', 'x/c.ts': 'word' });
    expect(await mentioning('word')).toEqual(['a.ts', 'x/c.ts']);
    writeFiles(folder, { 'a.ts': 'nothing', 'b.ts': 'word', 'd.ts': 'word' });
    expect(await mentioning('word')).toEqual(['b.ts', 'd.ts', 'x/c.ts']);
    rmSync(path.join(folder, 'b.ts'));
    expect(await mentioning('word')).toEqual(['d.ts', 'x/c.ts']);
    writeFiles(folder, { '.gitignore': 'x/\n' });
    expect(await mentioning('word')).toEqual(['d.ts']);
    writeFiles(folder, { '.gitignore': 'd.ts\n' });
    expect(await mentioning('word')).toEqual(['x/c.ts']);
    writeFiles(folder, { 'd.ts': 'ignored meanwhile', '.gitignore': '\n' });
    expect(await mentioning('meanwhile')).toEqual(['d.ts']);
  });

  it('finds what a search of the texts finds, whatever is written in between', async () => {
    const words = ['alpha', 'beta', 'g$mma', 'délta', 'Epsilon9', '_zeta'] as const;
    const content = fc
      .array(fc.tuple(fc.constantFrom(...words), fc.constantFrom(' ', '.', '\n', '(', '“', '-')), {
        maxLength: 8,
      })
      .map((parts) => parts.map(([word, gap]) => word + gap).join(''));
    const step = fc.dictionary(fc.constantFrom('a.ts', 'b.ts', 'c/d.ts'), fc.option(content), { maxKeys: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const { folder, mentioning } = await openIndex({});
        const present = new Map<string, string>();
        for (const changes of steps) {
          for (const [name, text] of Object.entries(changes)) put(folder, present, name, text);
          for (const word of words) {
            const expected = [...present].filter(([, text]) => text.includes(word)).map(([name]) => name);
            expect(await mentioning(word)).toEqual(expected.sort());
          }
        }
      }),
      withSeed({ numRuns: 30 }),
    );
  });
});

function put(folder: string, present: Map<string, string>, name: string, text: string | null): void {
  if (text === null) {
    rmSync(path.join(folder, name), { force: true });
    present.delete(name);
  } else {
    writeFiles(folder, { [name]: text });
    present.set(name, text);
  }
}
