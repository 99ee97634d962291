import { expect, it } from 'vitest';
import { EnclosingNames, showsEnclosing } from '../../../src/source-text/enclosing/enclosing-names.ts';

/** What encloses each `x` of a text. */
function around(file: string, text: string): string[] {
  const lines = text.split('\n');
  const names = new EnclosingNames({ path: file, text, line: (index) => lines[index] ?? '' }, lines.length);
  return lines.flatMap((line, number) => (/\bx\b/.test(line) ? [names.around(number).join('.')] : []));
}

it.each<[string, string, string[]]>([
  [
    'a.ts',
    'x;\nexport class Cart {\n  total(): number {\n    return x;\n  }\n  x;\n}\nx;',
    ['', 'Cart.total', 'Cart', ''],
  ],
  [
    'a.ts',
    'export const load = async () => {\n  if (a) {\n    b();\n  } else {\n    x();\n  }\n};',
    ['load'],
  ],
  ['a.ts', 'function f(\n  a: x,\n): void {\n  x;\n}', ['f', 'f']],
  ['a.ts', 'function f({\n  a,\n}: Props) {\n  x;\n}', ['f']],
  ['a.ts', 'class A {\n  go(\n    a: x,\n  ): void {\n    x;\n  }\n}', ['A.go', 'A.go']],
  [
    'a.ts',
    'class A {\n  run() {\n    go(\n      x,\n    );\n    each((): void => {\n      x;\n    });\n    assign(a, {\n      x,\n    });\n  }\n}',
    ['A.run', 'A.run', 'A.run'],
  ],
  [
    'a.ts',
    "describe('sums', () => {\n  it('adds', async () => {\n    x;\n  });\n});",
    ["describe('sums') callback.it('adds') callback"],
  ],
  ['a.ts', 'function f() {\n  const a = `\nfunction g() {\n  x\n}\n`;\n  x;\n}', ['f.a', 'f']],
  ['a.ts', 'function f() {\n// At the edge.\n/* Here\ntoo */\n  x;\n}', ['f']],
  ['a.ts', 'type A<T> = T extends {\n  a: infer B\n}\n  ? x\n  : B;', ['A']],
  [
    'a.ts',
    'const table = {\n  row: {\n    x,\n  },\n  make() {\n    x;\n  },\n};',
    ['table.row', 'table.make'],
  ],
  ['a.js', 'if (a) {\n  x;\n}\nfor (;;) {\n  x;\n}', ['', '']],
  ['a.ts', 'class A {\n\trun() {\n\t\tx;\n\t}\n}', ['A.run']],
  [
    'a.py',
    'x\nclass Pool:\n    def get(\n        self, x\n    ) -> int:\n        return x\n\n    async def put(self):\n        for a in b:\n            x\n',
    ['', 'Pool.get', 'Pool.get', 'Pool.put'],
  ],
  ['a.py', 'def f():\n    """\ndef g():\n    x\n    """\n    x\n', ['f', 'f']],
  ['a.py', 'def f():\n# Here.\n    x\n', ['f']],
  [
    'a.c',
    'static int\nadd(int a,\n    int b)\n{\n#if A\n  x;\n#endif\nagain:\n  x;\n}\nint y = x;',
    ['add', 'add', ''],
  ],
  [
    'a.cpp',
    'namespace shop {\nclass Cart {\npublic:\n  int total() const {\n    return x;\n  }\n};\nint Cart::sum() {\n  return x;\n}\n}',
    ['Cart.total', 'Cart::sum'],
  ],
  [
    'a.c',
    'struct point {\n  int x;\n};\nint f(void) { return 1; }\nint g(void)\n{\n  if (a)\n    x;\n}',
    ['point', 'g'],
  ],
])('names what encloses a line of %s: %j', (file, text, expected) => {
  expect(around(file, text)).toEqual(expected);
});

it('shows nothing of languages that it does not know', () => {
  expect(showsEnclosing('a.ts')).toBe(true);
  expect(showsEnclosing('a.rs')).toBe(false);
  expect(around('a.rs', 'fn f() {\n  x;\n}')).toEqual(['']);
});
