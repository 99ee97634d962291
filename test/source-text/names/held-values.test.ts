import { describe, expect, test } from 'vitest';
import { assignmentsOf, heldValues, nameHolding } from '../../../src/source-text/names/held-values.ts';

/** Returns the words at the offsets that are found for the name before the mark `|`. */
function valuesAt(marked: string) {
  const text = marked.replace('|', '');
  const { held, given } = heldValues('a.ts', text, marked.indexOf('|'));
  const words = (found: readonly number[]) => found.map((at) => /^[\w$]+/.exec(text.slice(at))?.[0]);
  return { held: words(held), given: words(given) };
}

function holderAt(marked: string) {
  return nameHolding('a.ts', marked.replace('|', ''), marked.indexOf('|'))?.text;
}

describe('the value of a name', () => {
  test.each<[string, readonly string[]]>([
    ['const |h = run;', ['run']],
    ['let |h = run\ngo(h)', ['run']],
    ['const |h: (n: number) => number = shop.run;', ['run']],
    ['const |h: Map<string, () => void> = run;', ['run']],
    ['const a = 1, |h = is ? run : other;', ['run', 'other']],
    ['const |h =\n  given\n  ?? run;\nnext', ['given', 'run']],
    ['const table = { |go: run };', ['run']],
    ['const table = { a: 1,\n  |go: run as Go,\n  b };', ['run']],
    ['function f(|go = run) {}', ['run']],
    ['class A {\n  private readonly |go = run;\n}', ['run']],
    ['exports.|go = run', ['run']],
    ['  |h = run;', ['run']],
    ['if (x) |h = run;', ['run']],
    ['else |h = run;', ['run']],
  ])('may be that of other names: %s', (text, expected) => {
    expect(valuesAt(text)).toEqual({ held: expected, given: [] });
  });

  test.each<[string, readonly string[]]>([
    ['const |h = memo(run);', ['run']],
    ['const |h = run.bind(shop);', ['run', 'shop']],
    ['const |h = _.debounce(shop.save, run, 100);', ['run']],
  ])('may be made of other names: %s', (text, expected) => {
    expect(valuesAt(text)).toEqual({ held: [], given: expected });
  });

  test.each([
    'const |h = () => run;',
    'const |h = run();',
    'const |h = 3;',
    'is |h == run',
    'is(|h, run)',
    'if (x) |h != run',
    'const f = (|h: Run) => run',
    'call(a, |h: run)',
    '|h => run',
    'const { |h } = run;',
  ])('has no names in %s', (text) => {
    expect(valuesAt(text)).toEqual({ held: [], given: [] });
  });
});

describe('the name that gets a value', () => {
  test.each([
    ['const h = |run;', 'h'],
    ['const h = is ? other : |run;', 'h'],
    ['const table = { go: shop.|run };', 'go'],
    ['const table = { go: is ? other : |run, a };', 'go'],
    ['const h: () => void = |run\n', 'h'],
    ['function f(go = |run) {}', 'go'],
    ['const h = |run();', undefined],
    ['list.map(|run)', undefined],
    ['use(is ? other : |run)', undefined],
    ['const h = list.map(|run);', undefined],
    ['const h = () => |run;', undefined],
    ['return |run;', undefined],
    ['if (h === |run) {}', undefined],
    ['x = { |run };', undefined],
  ])('is known: %s', (text, expected) => {
    expect(holderAt(text)).toBe(expected);
  });
});

test('A name that is no constant may get other values', () => {
  const text =
    "let h = run;\nif (x) h = other; // h = none\nif (h == 3 || 'h = no') (h) => h;\nthis.h = last;";
  expect(assignmentsOf(text, { start: 4, text: 'h' })).toEqual([
    text.indexOf('h = other'),
    text.indexOf('h = last'),
  ]);
  expect(assignmentsOf('const h = run;\nh = other', { start: 6, text: 'h' })).toEqual([]);
});
