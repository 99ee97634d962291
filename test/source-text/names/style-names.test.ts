import { expect, it } from 'vitest';
import { mayMeanStyle, styleNameAt } from '../../../src/source-text/names/style-names.ts';

it.each([
  ['.my-button { }', { mark: '.', name: 'my-button' }],
  ['#my-button { }', { mark: '#', name: 'my-button' }],
  ['a { color: var(--my-button) }', { mark: '--', name: '--my-button' }],
  ['@keyframes my-button { }', undefined],
])('knows the name of a style sheet: %s', (text, name) => {
  const start = text.indexOf('my');
  expect(styleNameAt('a.css', text, { start, end: start + 2 })).toEqual(name);
  expect(styleNameAt('a.ts', text, { start, end: start + 2 })).toBeUndefined();
});

const button = { mark: '.', name: 'x' } as const;
const top = { mark: '#', name: 'x' } as const;
const tone = { mark: '--', name: '--x' } as const;

it.each([
  ['a.html', '<b class="card x">', button, true],
  ['a.html', '<b class="card\n  x">', button, true],
  ['a.html', '<b class=x>', button, true],
  ['a.html', '<p>the x</p>', button, false],
  ['a.html', '<b class="my-x">', button, false],
  ['a.svelte', '<b class:x>', button, true],
  ['a.pug', 'div.x', button, true],
  ['a.ts', "find('.x')", button, true],
  ['a.ts', "const a = 'x';", button, true],
  ['a.ts', 'let x = 1;', button, false],
  ['a.html', '<a href="#x">', top, true],
  ['a.ts', "style.setProperty('--x', 1)", tone, true],
  ['a.ts', "style.setProperty('x', 1)", tone, false],
  ['a.scss', '.x { }', button, true],
  ['a.scss', 'x { content: "x" }', button, false],
  ['a.py', "'--x'", tone, false],
] as const)('tells whether a page may mean a name of a style sheet: %s %j', (file, text, style, may) => {
  const start = text.search(/\bx\b/);
  expect(mayMeanStyle(file, text, { start, end: start + 1 }, style)).toBe(may);
});

it('takes time in proportion to the text', () => {
  for (const part of ['class="', '"', 'class ', '-']) {
    const text = `${part.repeat(8_000)}x`;
    const word = { start: text.length - 1, end: text.length };
    for (let index = 0; index < 100; index += 1) mayMeanStyle('a.html', text, word, button);
  }
});

it('very many names on one line are read in linear time', () => {
  for (const part of ['total ', 'class="total ', '"total" ', '.total', '--total']) {
    const text = part.repeat(10_000);
    for (let at = text.indexOf('total'); at >= 0; at = text.indexOf('total', at + 5))
      mayMeanStyle('a.js', text, { start: at, end: at + 5 }, { mark: '.', name: 'total' });
  }
});
