import { describe, expect, test } from 'vitest';
import { LspanError } from '../../../src/core/errors.ts';
import type { PositionEncoding } from '../../../src/core/position.ts';
import { applyTextEdits } from '../../../src/edits/text/apply-text-edits.ts';
import { edit, refusalOf, type ShortEdit } from '../plan-of.ts';

function apply(text: string, edits: readonly ShortEdit[], encoding: PositionEncoding = 'utf-16') {
  return applyTextEdits(
    text,
    edits.map(edit),
    encoding,
    (line, wrong) => new LspanError('refused', `${line + 1} ${wrong}`),
  );
}

type Row = readonly [title: string, text: string, edits: readonly ShortEdit[], after: string, count?: number];

const applied: readonly Row[] = [
  [
    'EDT-02 edits that touch are applied',
    'abcd',
    [
      [0, 0, 0, 2, 'X'],
      [0, 2, 0, 4, 'Y'],
    ],
    'XY',
    2,
  ],
  [
    'positions of all edits refer to the text before the first',
    'a\nb\n',
    [
      [0, 0, 1, 0, ''],
      [1, 0, 1, 1, 'B'],
    ],
    'B\n',
    2,
  ],
  [
    'EDT-03 inserts at one position keep their order',
    'ab',
    [
      [0, 1, 0, 1, '1'],
      [0, 1, 0, 1, '2'],
    ],
    'a12b',
  ],
  [
    'EDT-04 inserts precede a replacement at the same position',
    'ab',
    [
      [0, 1, 0, 1, '1'],
      [0, 1, 0, 2, 'X'],
    ],
    'a1X',
  ],
  [
    'an insert at the end of a replacement follows it',
    'abc',
    [
      [0, 2, 0, 2, '1'],
      [0, 1, 0, 2, 'X'],
    ],
    'aX1c',
  ],
  [
    'EDT-07 an inserted line ends like the line where it is inserted',
    'a\r\nb\n',
    [[0, 0, 0, 0, 'x\n']],
    'x\r\na\r\nb\n',
  ],
  [
    'EDT-07 an inserted line gets that ending whatever its own was',
    'a\nb\r',
    [
      [0, 0, 0, 0, 'x\r\ny\r'],
      [1, 0, 1, 0, 'z\n'],
    ],
    'x\ny\na\nz\rb\r',
  ],
  ['EDT-07 a new last line ends like the one before it', 'a\r\nb', [[1, 1, 1, 1, '\nc']], 'a\r\nb\r\nc'],
  ['EDT-07 a text of one line takes endings as they come', 'a', [[0, 1, 0, 1, '\r\nb\n']], 'a\r\nb\n'],
  [
    'EDT-07 a line break inserted after a CR stays a line break',
    'a\rb\n',
    [[1, 0, 1, 0, '\n']],
    'a\r\r\nb\n',
  ],
  [
    'EDT-07 a line break inserted before an LF stays a line break',
    'a\rb\nc',
    [[0, 0, 1, 1, 'x\n']],
    'x\r\n\nc',
  ],
  [
    'EDT-07 a replacement of the whole document changes only the lines that differ',
    'a\r\nb\nc\rd\r\n',
    [[0, 0, 4, 0, 'a\nB\nc\nnew\nd\n']],
    'a\r\nB\nc\rnew\r\nd\r\n',
    2,
  ],
  [
    'EDT-07 a replacement of the whole document that differs only in line endings changes nothing',
    'a\r\nb\n',
    [[0, 0, 2, 0, 'a\nb\r\n']],
    'a\r\nb\n',
    0,
  ],
  [
    'EDT-05 an edit from the start to past the end replaces the whole document',
    'a\nb',
    [[0, 0, 9, 0, 'c']],
    'c',
  ],
  ['EDT-05 so does an edit to a column past the end of the last line', 'a\nb', [[0, 0, 1, 99, 'c']], 'c'],
  ['EDT-10 a missing final newline stays missing', 'a\nb', [[0, 0, 0, 1, 'A']], 'A\nb'],
  ['EDT-10 an empty text can be filled', '', [[0, 0, 0, 0, 'a\n']], 'a\n'],
  ['an edit that inserts the same text changes nothing', 'abc', [[0, 1, 0, 2, 'b']], 'abc', 0],
  ['the end of a line before its CR LF can be edited', 'a\r\nb', [[0, 1, 0, 1, '!']], 'a!\r\nb'],
];

describe('text edits', () => {
  for (const [title, text, edits, after, count] of applied)
    test(title, () => {
      const result = apply(text, edits);
      expect(result.text).toBe(after);
      if (count !== undefined) expect(result.edits).toBe(count);
    });

  const columns: readonly (readonly [PositionEncoding, number, number])[] = [
    ['utf-8', 3, 7],
    ['utf-16', 2, 4],
    ['utf-32', 2, 3],
  ];
  for (const [encoding, start, end] of columns)
    test(`columns are counted in ${encoding}`, () => {
      expect(apply('aé😀z', [[0, start, 0, end, '*']], encoding).text).toBe('aé*z');
    });
});

type Refused = readonly [
  title: string,
  text: string,
  edits: readonly ShortEdit[],
  message: RegExp,
  encoding?: PositionEncoding,
];

const refused: readonly Refused[] = [
  [
    'EDT-01 edits that overlap',
    'abc',
    [
      [0, 0, 0, 2, 'x'],
      [0, 1, 0, 3, 'y'],
    ],
    /^1 overlaps/,
  ],
  [
    'EDT-01 edits of the same range',
    'abc',
    [
      [0, 0, 0, 2, 'x'],
      [0, 0, 0, 2, 'x'],
    ],
    /^1 overlaps/,
  ],
  [
    'EDT-01 an insert inside a range that another edit replaces',
    'abc',
    [
      [0, 0, 0, 3, 'x'],
      [0, 1, 0, 1, 'y'],
    ],
    /overlaps/,
  ],
  [
    'EDT-01 another edit besides that of the whole document',
    'a\nb',
    [
      [0, 0, 9, 0, 'x'],
      [1, 0, 1, 1, 'y'],
    ],
    /^2 overlaps/,
  ],
  [
    'EDT-04 an insert listed after a replacement at its start',
    'ab',
    [
      [0, 1, 0, 2, 'X'],
      [0, 1, 0, 1, '1'],
    ],
    /order is unclear/,
  ],
  ['EDT-05 a reversed range', 'abc', [[0, 2, 0, 1, '']], /ends before it starts/],
  [
    'EDT-05 a line past the end of the file',
    'a\nb',
    [[2, 0, 2, 0, 'x']],
    /^3 has a start that is past the end of the file/,
  ],
  ['EDT-05 a column past the end of the line', 'a\nb', [[0, 0, 0, 2, 'x']], /past the end of the line/],
  [
    'EDT-05 an end past the file, if the edit does not begin at the start',
    'a\nb',
    [[0, 1, 9, 0, 'x']],
    /past the end of the file/,
  ],
  ['EDT-05 a negative number', 'a', [[0, -1, 0, 0, 'x']], /integers/],
  ['EDT-05 a position that is not a number', 'a', [[Number.NaN, 0, 0, 0, 'x']], /integers/],
  ['EDT-05 a fraction', 'a', [[0, 0.5, 0, 1, 'x']], /integers/],
  ['EDT-06 the middle of a surrogate pair', 'a😀', [[0, 2, 0, 3, 'x']], /surrogate pair/],
  ['EDT-06 the middle of a character of several bytes', 'é', [[0, 1, 0, 2, 'x']], /several bytes/, 'utf-8'],
  ['EDT-06 between CR and LF', 'a\r\nb', [[0, 2, 0, 2, 'x']], /between the CR and the LF/],
  [
    'EDT-06 between CR and LF, counted in another encoding',
    'é\r\nb',
    [[0, 3, 0, 3, 'x']],
    /between the CR and the LF/,
    'utf-8',
  ],
  ['EDT-09 an inserted NUL', 'a', [[0, 0, 0, 0, '\0']], /NUL/],
  ['EDT-09 an inserted half of a surrogate pair', 'a', [[0, 0, 0, 0, '\ud83d']], /half of a surrogate pair/],
];

describe('text edits are refused for', () => {
  for (const [title, text, edits, message, encoding] of refused)
    test(title, () => {
      const { message: said } = refusalOf(() => apply(text, edits, encoding));
      expect(said).toMatch(message);
    });
});

describe('EDT-10 size', () => {
  const long = 'é'.repeat(2 ** 21);

  for (const encoding of ['utf-8', 'utf-16', 'utf-32'] as const)
    test(`a line of 4 MiB is walked once for all of its edits in ${encoding}`, () => {
      const width = encoding === 'utf-8' ? 2 : 1;
      const edits = Array.from({ length: 20_000 }, (_, at): ShortEdit => {
        const column = (at * 100 + 1) * width;
        return [0, column, 0, column + width, 'e'];
      });
      const { text, edits: count } = apply(long, edits.reverse(), encoding);
      expect(count).toBe(20_000);
      expect(text.slice(0, 103)).toBe(`ée${'é'.repeat(99)}eé`);
    });

  test('a replacement of a document of very many lines is applied in time', () => {
    const lines = Array.from({ length: 200_000 }, (_, at) => `line ${at}`);
    const changed = lines.map((line, at) => (at % 1_000 === 7 ? `${line}!` : line));
    const { text, edits } = apply(lines.join('\r\n'), [[0, 0, 200_000, 0, changed.join('\n')]]);
    expect(edits).toBe(200);
    expect(text).toBe(changed.join('\r\n'));
  });
});
