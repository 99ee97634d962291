import { expect, it } from 'vitest';
import { visible, visibleData } from '../../../src/core/wording/visible.ts';

it('plain text, tabs, newlines and other scripts stay as they are', () => {
  const text = 'a\tb\nc é 字 😀';
  expect(visible(text)).toBe(text);
});

it('INF-07 characters that hide or forge text are shown', () => {
  expect(visible('a\u202eb')).toBe('a\\u{202e}b');
  expect(visible('\u001b[31m')).toBe('\\u{1b}[31m');
  expect(visible('x\u{e0041}')).toBe('x\\u{e0041}');
  expect(visible('\ud800')).toBe('\\u{d800}');
  expect(visible('a\u200bb\ufeff')).toBe('a\\u{200b}b\\u{feff}');
});

it('INF-07 the same holds for every string in structured data', () => {
  expect(visibleData({ a: ['\u202e', { b: 'c' }], n: 1, z: null }, new Set())).toEqual({
    a: ['\\u{202e}', { b: 'c' }],
    n: 1,
    z: null,
  });
});

it('INF-08 a line break is shown but in the fields that may have several lines', () => {
  const data = { name: 'a\nb', hover: { text: 'c\nd\u202e' }, lines: ['e\nf'] };
  expect(visibleData(data, new Set(['text']))).toEqual({
    name: 'a\\u{a}b',
    hover: { text: 'c\nd\\u{202e}' },
    lines: ['e\\u{a}f'],
  });
  const plain = { name: 'a', list: [{ b: 1 }] };
  expect(visibleData(plain, new Set())).toBe(plain);
});
