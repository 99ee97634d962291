import { expect, it } from 'vitest';
import { indirectHeirs } from '../../src/source-text/members/indirect-heirs.ts';

it.each([
  ['a.ts', 'class B extends mix(A) {}', ['class B extends mix']],
  ['a.ts', 'class B extends mix(other(C, A)) {}', ['class B extends mix']],
  ['a.ts', 'class B<T> extends (A as typeof A)<T> {}', ['class B<T> extends ', 'class B<T> extends ']],
  ['a.ts', 'const D = class extends mix(A) {}', ['class extends mix']],
  ['a.ts', 'const C = A;\nclass B extends C {}', ['class B extends C']],
  ['a.ts', 'const C = A as Made;\nclass B extends C {}', ['class B extends C']],
  ['a.ts', 'const C = A.D;\nclass B extends C {}', []],
  ['a.ts', 'class B extends A {}', []],
  ['a.ts', 'class B extends C { d = make(A); }', []],
  ['a.ts', '// class B extends mix(A) {}', []],
  ['a.py', 'class B(mix(A)):\n    pass', ['class B']],
  ['a.py', 'class B(C, with_metaclass(M, A)):\n    pass', ['class B']],
  ['a.py', 'D = type("D", (A,), {})', ['A']],
  ['a.py', 'D = type("D", (C, A), {})', ['A']],
  ['a.py', 'class B(A):\n    pass', []],
  ['a.py', 'class B(C):\n    d = make(A)', []],
  ['a.py', 'isinstance(b, (A,))', []],
  ['a.go', 'class B extends mix(A) {}', []],
])('%s: %j', (file, text, expected) => {
  const found = indirectHeirs(file, text, 'A');
  expect(found.map(({ start }, index) => text.startsWith(expected[index] ?? '-', start))).toEqual(
    expected.map(() => true),
  );
});

it.each(['class A extends ', 'type(A, ', '(A', 'const A = A;\n', 'class A(A(A('])(
  'takes time in proportion to the text: %j',
  (part) => {
    for (const file of ['a.ts', 'a.py'])
      expect(indirectHeirs(file, part.repeat(1_500), 'A').length).toBeGreaterThanOrEqual(0);
  },
);
