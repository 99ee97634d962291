import { describe, expect, test } from 'vitest';
import { hiddenCallees } from '../../src/source-text/hidden-callees.ts';

const names = (text: string) =>
  hiddenCallees('a.ts', text).map(({ start, text: name }) => {
    expect(text.slice(start, start + name.length)).toBe(name);
    return name;
  });

describe('names that a script calls', () => {
  test.each<[string, readonly string[]]>([
    ["s['run'](3)", ['run']],
    ['s?.["run"]?.(3)', ['run']],
    ['f(x)[`run`]()', ['run']],
    ['return (arrow)();', ['arrow']],
    ['(s.run)(3)', ['run']],
    ['arrow!()', ['arrow']],
    ['maybe!?.(1)', ['maybe']],
    ['(arrow as () => number)()', ['arrow']],
    ['(a ?? s.b ?? c!)()', ['a', 'b', 'c']],
    ['(is ? a : b)()', ['a', 'b']],
    ['(0, s.run)()', ['run']],
    ['(ready && run)()', ['run']],
    ['(await load)()', ['load']],
    ['() => (arrow)()', ['arrow']],
    ['!(arrow)()', ['arrow']],
    ['x = (a)() + (b)()', ['a', 'b']],
  ])('are found in brackets or behind marks: %s', (text, expected) => {
    expect(names(text)).toEqual(expected);
  });

  test.each([
    'run(3)',
    'f(x)(y)',
    'f<T>(x)(y)',
    'a[0](1)',
    "['a'](1)",
    's[name](1)',
    'if (x) (y)',
    'while (x) (y)',
    '(() => 1)()',
    '(async () => run())()',
    '(function () {})()',
    '(make())()',
    'return!(x)',
    'function f(a: string) {}',
    "// s['run'](3)",
    '"(arrow)()"',
    '/* arrow!() */',
    "import('x')(1)",
    'a !== (b)',
  ])('are not seen in other code: %s', (text) => {
    expect(names(text)).toEqual([]);
  });
});
