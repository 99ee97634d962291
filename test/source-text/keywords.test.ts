import { describe, expect, test } from 'vitest';
import { isContextualKeyword } from '../../src/source-text/keywords.ts';

/** The word of interest is between bars. */
function isOne(marked: string, file = 'a.ts'): boolean {
  const [before = '', text = '', after = ''] = marked.split('|');
  return isContextualKeyword(file, before + text + after, { start: before.length, text });
}

describe('a word that is sometimes a keyword', () => {
  test.each([
    'for (const one |of| list) {',
    'for (const { a } |of| [1, 2]) {',
    'for await (const one |of| (await all())) {',
    'for (const [a, b] |of| map) {',
    'import |type| { A } from "a";',
    'import |type| * as a from "a";',
    'export |type| { A };',
    'import { |type| A } from "a";',
    'import |type| A from "a";',
    '|type| A = string;',
    'export |type| A = string;',
    '  |get| size() {',
    '  |async| run() {',
    '  |readonly| type: string;',
  ])('is no name in %s', (line) => {
    expect(isOne(line)).toBe(true);
  });

  test.each([
    'return |of|(1);',
    'for (const one of |of|(1, 2)) {',
    'for (let i = |of| (1); i < 2; i++) {',
    'import { |of| } from "rxjs";',
    'import { type |type| } from "a";',
    'import |type| from "a";',
    'const a = |type| as string;',
    '  |type|: string;',
    '  |type|?: string;',
    'action.|type| ',
    'if ("a" in b && |type| in c) {',
    '  |get|(key: string) {',
    'const |type| = 1;',
    'this.#|type| x',
    'for (const |of| of list) {',
    'for (|of| of list) {',
    'call(|of| , 1)',
  ])('may be a name in %s', (line) => {
    expect(isOne(line)).toBe(false);
  });

  test('is not known in other languages', () => {
    expect(isOne('|type| A = string;', 'a.go')).toBe(false);
  });
});
