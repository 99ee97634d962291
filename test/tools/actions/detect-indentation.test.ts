import { expect, it } from 'vitest';
import { detectIndentation } from '../../../src/tools/actions/format-document.ts';
import { readRange } from '../../../src/tools/target/read-range.ts';
import { documentOf } from '../../../src/workspace/texts/document.ts';

it.each([
  ['nothing indented', 'a\nb\n', { tabSize: 4, insertSpaces: true }],
  ['two spaces', 'a {\n  b {\n    c\n  }\n}\n', { tabSize: 2, insertSpaces: true }],
  ['three spaces', 'a\n   b\n      c\n   d\n', { tabSize: 3, insertSpaces: true }],
  ['tabs', 'a\n\tb\n\t\tc\n', { tabSize: 4, insertSpaces: false }],
  [
    'tabs, and a comment with spaces',
    '/**\n * a\n * b\n * c\n */\na\n\tb\n',
    { tabSize: 4, insertSpaces: false },
  ],
  [
    'four spaces, and a deep line',
    'a\n    b\n        c\n                d\n    e\n',
    { tabSize: 4, insertSpaces: true },
  ],
  ['blank lines between', 'a\r\n  b\r\n\r\n  c\r\n', { tabSize: 2, insertSpaces: true }],
])('indentation is detected from the text: %s', (_name, text, expected) => {
  expect(detectIndentation(documentOf('/a', text))).toEqual(expected);
});

const document = documentOf('/a', 'one\ntwo three\nfour');
const range = (...[line, from, end, to]: readonly number[]) => ({
  start: { line, character: from },
  end: { line: end, character: to },
});

it.each([
  ['nothing', {}, undefined],
  ['a line', { line: 2 }, range(1, 0, 1, 9)],
  ['lines', { line: 1, end_line: 3 }, range(0, 0, 2, 4)],
  ['a point', { line: 2, character: 5 }, range(1, 4, 1, 4)],
  ['a part of a line', { line: 2, character: 5, end_character: 10 }, range(1, 4, 1, 9)],
  ['from a point to the end of a line', { line: 1, character: 2, end_line: 2 }, range(0, 1, 1, 9)],
])('a range may be given as %s', (_name, given, expected) => {
  expect(readRange(document, given)).toEqual(expected);
});

it.each([
  [{ character: 1 }, /begins with `line`/],
  [{ line: 0 }, /There is no line 0/],
  [{ line: 4 }, /There is no line 4: the file has 3 lines/],
  [{ line: 1, character: 5 }, /There is no character 5 on line 1: it ends at 4/],
  [{ line: 2, end_line: 1 }, /ends before it begins/],
])('an invalid range is refused: %j', (given, message) => {
  expect(() => readRange(document, given)).toThrow(message);
});
