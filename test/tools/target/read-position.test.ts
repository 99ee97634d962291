import { describe, expect, it } from 'vitest';
import { readPosition } from '../../../src/tools/target/read-position.ts';
import { type Document, decodeDocument } from '../../../src/workspace/texts/document.ts';

function documentOf(...lines: readonly string[]): Document {
  const document = decodeDocument('/a.ts', Buffer.from(lines.join('\n')));
  if (typeof document === 'string') throw new Error(document);
  return document;
}

/** What a target is read as: `name line:character`, with `~` before it where it was adjusted. */
function read(document: Document, line: number, character?: number, symbol_name?: string): string {
  const target = {
    ...(character === undefined ? {} : { character }),
    ...(symbol_name ? { symbol_name } : {}),
  };
  const { position, name, adjusted } = readPosition(document, target, line);
  return `${adjusted ? '~' : ''}${name} ${position.line + 1}:${position.character + 1}`;
}

describe('with a name', () => {
  const document = documentOf('let alpha = 1;', '', 'beta(alpha, gamma);', 'let delta = beta;', '// alpha');

  it('a position on the name is kept, and its end is read as its beginning', () => {
    expect(read(document, 3, 6, 'alpha')).toBe('alpha 3:6');
    expect(read(document, 3, 8, 'alpha')).toBe('alpha 3:8');
    expect(read(document, 3, 11, 'alpha')).toBe('alpha 3:6');
  });

  it('a column that is off, or counted from 0, is corrected', () => {
    expect(read(document, 3, 5, 'alpha')).toBe('~alpha 3:6');
    expect(read(document, 3, 0, 'beta')).toBe('~beta 3:1');
    expect(read(document, 3, 999, 'gamma')).toBe('~gamma 3:13');
  });

  it('a line that is off, or counted from 0, is corrected', () => {
    expect(read(document, 2, 6, 'alpha')).toBe('~alpha 3:6');
    expect(read(document, 4, 6, 'alpha')).toBe('~alpha 3:6');
    expect(read(document, 0, 4, 'alpha')).toBe('~alpha 1:5');
    expect(read(document, 99, 1, 'delta')).toBe('~delta 4:5');
  });

  it('without a character, the first place on the line is taken', () => {
    expect(read(document, 3, undefined, 'gamma')).toBe('gamma 3:13');
    expect(read(documentOf('run(run)'), 1, undefined, 'run')).toBe('~run 1:1');
  });

  it('a column counted in code points or in bytes is corrected', () => {
    const wide = documentOf('f("größe 𝄞", one, one, one)');
    expect(read(wide, 1, 14, 'one')).toBe('~one 1:15');
    expect(read(wide, 1, 19, 'one')).toBe('~one 1:15');
    expect(read(wide, 1, 24, 'one')).toBe('~one 1:20');
  });

  it('places that are about as likely are rivals', () => {
    const twice = documentOf('  total(a);', '', '  total(b);');
    const { rivals } = readPosition(twice, { character: 3, symbol_name: 'total' }, 2);
    expect(rivals).toEqual([{ line: 0, character: 2 }]);
  });

  it('a name that is not in the file is not found', () => {
    expect(() => read(document, 1, 1, 'omega')).toThrow('"omega" does not occur in this file.');
  });
});

describe('without a name', () => {
  it('a position on an identifier is kept, and its end is read as its last character', () => {
    const document = documentOf('one + two');
    expect(read(document, 1, 1)).toBe('one 1:1');
    expect(read(document, 1, 4)).toBe('one 1:3');
    expect(read(document, 1, 9)).toBe('two 1:9');
  });

  it('a position on no identifier takes the nearest on the line', () => {
    const document = documentOf('one(  two );   ');
    expect(read(document, 1, 6)).toBe('~two 1:7');
    expect(read(document, 1, 5)).toBe('~one 1:1');
    expect(read(document, 1, 99)).toBe('~two 1:7');
  });

  it('a keyword is not an identifier, so what is next to it is taken', () => {
    const document = documentOf(
      'export const price = 1;',
      'if (price) return price;',
      'for (const [job] of jobs) {}',
    );
    expect(read(document, 1, 1)).toBe('~price 1:14');
    expect(read(document, 1, 13)).toBe('~price 1:14');
    expect(read(document, 2, 3)).toBe('~price 2:5');
    expect(read(document, 2, 12)).toBe('return 2:12');
    expect(read(document, 3, 11)).toBe('~job 3:13');
  });

  it('a word is a name if it is used as one, even if it is a keyword elsewhere', () => {
    const document = documentOf('{ type: kind, get: fn, from }', 'options.class = match;');
    expect(read(document, 1, 7)).toBe('type 1:6');
    expect(read(document, 1, 2)).toBe('~type 1:3');
    expect(read(document, 2, 10)).toBe('class 2:10');
  });

  it('a character that begins names in some languages belongs to the name', () => {
    expect(read(documentOf('  --accent: red;'), 1, 3)).toBe('accent 1:5');
    expect(read(documentOf('.button {'), 1, 1)).toBe('button 1:2');
  });

  it('words in strings and comments do not count for positions outside them', () => {
    const document = documentOf("add('apple'); // some day", "import x from './cart';");
    expect(read(document, 1, 13)).toBe('~add 1:1');
    expect(read(document, 2, 16)).toBe('~cart 2:18');
  });

  it('if the line has none, nearby lines are searched, the next before the previous', () => {
    const document = documentOf('one', '', '  two', '}', '', '', '', '', '');
    expect(read(document, 2, 1)).toBe('~two 3:3');
    expect(read(document, 4, 1)).toBe('~two 3:3');
    expect(read(document, 8, 1)).toBe('undefined 8:1');
  });

  it('line 0 and character 0 can only be counted from 0', () => {
    const document = documentOf('one two', 'three');
    expect(read(document, 0, 4)).toBe('~two 1:5');
    expect(read(document, 2, 0)).toBe('~three 2:1');
  });

  it('a line that the file does not have, and negative numbers, are refused', () => {
    const document = documentOf('one');
    expect(() => read(document, 2, 1)).toThrow('There is no line 2: the file has 1 lines.');
    expect(() => read(document, -1, 1)).toThrow('There is no line -1');
    expect(() => read(document, 1, -1)).toThrow('There is no character -1');
  });
});
