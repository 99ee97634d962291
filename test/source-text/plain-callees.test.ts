import { describe, expect, test } from 'vitest';
import { plainCallees } from '../../src/source-text/plain-callees.ts';

const names = (text: string) =>
  plainCallees('a.ts', text).map(({ start, text: name }) => {
    expect(text.slice(start, start + name.length)).toBe(name);
    return name;
  });

describe('names that a script calls', () => {
  test.each<[string, readonly string[]]>([
    ['run(3)', ['run']],
    ['shop.run(total())', ['run', 'total']],
    ['shop?.run?.(3)', ['run']],
    ['run<Shop>(3)', ['run']],
    ['new Shop(3)', ['Shop']],
    ['new Shop', ['Shop']],
    ['new shops.Shop<string>()', ['Shop']],
    ['cache.delete(key)', ['delete']],
    ['await load().then(run)', ['load', 'then']],
  ])('are found before brackets and behind `new`: %s', (text, expected) => {
    expect(names(text)).toEqual(expected);
  });

  test.each(['if (x) y', 'a < b', "'run(3)'", '// run(3)', 'super(x)', '#run(3)', 'return (x)'])(
    'are not seen in other code: %s',
    (text) => {
      expect(names(text)).toEqual([]);
    },
  );
});
