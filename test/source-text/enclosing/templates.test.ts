import { expect, it } from 'vitest';
import { templateAt } from '../../../src/source-text/enclosing/templates.ts';
import { lexicalAt } from '../../../src/source-text/lexical.ts';

const nested = '`all ${ok && ` of ${names.join(", ")} and }`} in ${{ a: `}` }.a} end` + rest';

it('a template ends where it ends, whatever its expressions hold', () => {
  const { end = 0, strings = [] } = templateAt(nested, 0) ?? {};
  expect(nested.slice(end)).toBe(' + rest');
  expect(strings.map(({ start, end: to }) => nested.slice(start, to))).toEqual([
    '`all ${',
    '` of ${',
    '", "',
    '} and }`',
    '} in ${',
    '`}`',
    '} end`',
  ]);
});

it.each(['`a', '`${', '`${`', '`${"`', '`\\`'])('%s does not end', (text) => {
  expect(templateAt(text, 0)).toBeUndefined();
});

it.each([
  ['`a ${ok ? `b` : ^total}`', 'code'],
  ['`a ${ok ? ` ^total` : b}`', 'string'],
  ['`a ${ok ? `b ${^total}` : b}`', 'code'],
  ['`a ${ok ? `b ${c}` : b} ^total`', 'string'],
  ["`a ${b('^total')}`", 'string'],
  ['`a ${`b`}`; ^total; `c`', 'code'],
  ['`a`; ^total; `${c}`', 'code'],
  ['`a \\${^total}`', 'string'],
  ['`a ${b', 'code'],
  ["`a ${b.replace(/'/g)} c ${^total}`\\n`x`", 'code'],
  ['`a ${b.split(/[`}]/)} c ^total`', 'string'],
  ["`a ${b /* don't */} c ${^total}`", 'code'],
  ["`a ${b // don't\n} ^c`", 'string'],
  ['`a ${b / c / d} c`; ^total', 'code'],
  ["`a ${it's} c ${^total}`; `${b", 'code'],
  ['`never ${ends `${^total}', 'code'],
])('%s', (text, kind) => {
  const offset = Math.max(0, text.indexOf('^'));
  const place = text.includes('^') ? offset : text.length;
  expect(lexicalAt('a.ts', text.replace('^', ''), [place])).toEqual([kind]);
});

it.each(['`${', '`${`', '`${{', '`${a}', '${`', "`${'", "`${'\\'", '`${/*', '`${(/', '`${//'])(
  'a text of %s is read in linear time: a quadratic search would take longer than a test may',
  (part) => {
    const text = part.repeat(200_000 / part.length);
    const offsets = Array.from({ length: 1000 }, (_, index) => index * 190);
    expect(lexicalAt('a.ts', text, offsets)).toHaveLength(1000);
  },
);
