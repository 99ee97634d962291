import { expect, it } from 'vitest';
import { PythonBindings } from '../../../src/source-text/enclosing/python-bindings.ts';
import { documentOf } from '../../../src/workspace/texts/document.ts';

/** Returns what is around the binding at the mark. */
function holdersIn(marked: string): readonly string[] | undefined {
  const offset = marked.indexOf('^');
  const document = documentOf('/project/a.py', marked.replace('^', ''));
  return new PythonBindings(document).holdersAt(offset, 'total');
}

it.each([
  ['def ^total(): pass', []],
  ['async def ^total(): pass', []],
  ['class ^total: pass', []],
  ['^total = 1', []],
  ['^total: int = 1', []],
  ['a, ^total = 1, 2', []],
  ['a = ^total = 1', []],
  ['if x:\n    ^total = 1', []],
  ['try:\n    pass\nexcept E:  # no\n    def ^total(): pass', []],
  ['from a import ^total', []],
  ['from a import b as ^total', []],
  ['from a import (\n    b,\n    ^total,\n)', []],
  ['from a import (b,\n^total)', []],
  ['if TYPE_CHECKING:\n    from a import ^total', []],
  ['class A:\n    def ^total(self): pass', ['A']],
  ['class A(\n    B,\n):\n    @property\n    def ^total(self): pass', ['A']],
  ['class A:\n    class B:\n        if x:\n            ^total = 1', ['A', 'B']],
  ['class A:\n    """def\nx():"""\n    ^total = 1', ['A']],
])('%j binds the name, in classes %j', (text, expected) => {
  expect(holdersIn(text)).toEqual(expected);
});

it.each([
  'x = ^total',
  'x = A().^total()',
  'x[^total] = 1',
  '^total += 1',
  '^total == 1',
  'f(^total=1)',
  'f(\n    ^total=1,\n)',
  'f(\n^total=1,\n)',
  'x = {\n    ^total: 1,\n}',
  'def f(^total): pass',
  'def f(\n    ^total: int,\n) -> int: pass',
  'def f(a,\n^total: int): pass',
  'with f(\n    ^total=1,\n):\n    pass',
  'def f():\n    ^total = 1',
  'def f(\n    a,\n) -> int:\n    ^total = 1',
  'class A:\n    def f(self):\n        from a import ^total',
  'from a import ^total as other',
])('%j binds no name of a module or a class', (text) => {
  expect(holdersIn(text)).toBeUndefined();
});

it('hostile modules are read in linear time: a quadratic search would take longer than a test may', () => {
  for (const text of [
    'total = '.repeat(200_000),
    `def f(\n${'total = 1,\n'.repeat(100_000)}`,
    `x = (\n${'\n'.repeat(200_000)}${'total = '.repeat(20_000)}`,
    `from a import (\n${'total,\n'.repeat(20_000)})`,
    `class A:\n${'    total = 1\n'.repeat(50_000)}`,
    `class A(\n${'):\n'.repeat(50_000)}${'    total = 1\n'.repeat(20_000)}`,
    Array.from({ length: 1_500 }, (_, depth) => `${' '.repeat(depth)}class A:\n`).join('') +
      `${' '.repeat(1_500)}total = 1\n`.repeat(500),
  ]) {
    const bindings = new PythonBindings(documentOf('/project/a.py', text));
    for (let at = text.indexOf('total'); at >= 0; at = text.indexOf('total', at + 5))
      bindings.holdersAt(at, 'total');
  }
});
