import { expect, it } from 'vitest';
import { isInDirective } from '../../../src/source-text/names/go-directives.ts';

/** Whether HERE, in a text, is named by a directive. */
function isNamed(text: string, file = 'a.go', word = 'HERE'): boolean {
  const start = text.lastIndexOf(word);
  return isInDirective(file, text, { start, end: start + word.length });
}

it.each<[string, boolean]>([
  ['package a\n\n//export HERE\nfunc other() {}', true],
  ['//export HERE', true],
  ['// export HERE', false],
  ['//export Other HERE', false],
  ['//go:linkname HERE runtime.nanotime', true],
  ['//go:linkname HERE\r\nfunc', true],
  ['//go:linkname now runtime.HERE', true],
  ['//go:linkname now example.com/shop/price.HERE\n', true],
  ['//go:linkname load sync/atomic.(*HERE).Load', true],
  ['//go:linkname load sync/atomic.(*Int32).HERE', true],
  ['//go:linkname now example.HERE/shop/price.now', false],
  ['//go:linkname now example.com/HERE/price.now', false],
  ['//go:linkname now HERE.now', false],
  ['// see go:linkname HERE', false],
  ['//go:generate stringer -type HERE', true],
  ['//go:generate stringer -type=Other,HERE -trimprefix=x', true],
  ['//go:generate mockgen . Store,HERE', true],
  ['//go:generate go run HERE.go', false],
  ['//go:generate ./HERE/run', false],
  ['//go:embed HERE', false],
  ['//go:generate stringer -type Total\n// HERE', false],
])('%j: %s', (text, expected) => {
  expect(isNamed(text)).toBe(expected);
});

it('takes a word in lower case of a generator for a name only where a type is asked for', () => {
  expect(isNamed('//go:generate stringer -type pill', 'a.go', 'pill')).toBe(true);
  expect(isNamed('//go:generate stringer -type=', 'a.go', 'stringer')).toBe(false);
});

it('other languages have no such directives', () => {
  expect(isNamed('//export HERE', 'a.rs')).toBe(false);
});

it('hostile comments are read in linear time', () => {
  for (const part of [
    '//export ',
    '//go:linkname ',
    '//go:generate -type',
    ' ',
    '.',
    '-type=',
    'a.',
    '\t',
    'type',
  ])
    for (let index = 0; index < 2_000; index += 1) {
      isNamed(`//go:generate ${part.repeat(500)}HERE${part.repeat(500)}`);
      isNamed(`//go:linkname ${part.repeat(500)}HERE${part.repeat(500)}`);
    }
});
