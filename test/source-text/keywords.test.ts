import { describe, expect, test } from 'vitest';
import { isContextualKeyword, isTypeKeyword } from '../../src/source-text/keywords.ts';

/** The word of interest is between bars. */
function isOne(marked: string, file = 'a.ts'): boolean {
  const [before = '', text = '', after = ''] = marked.split('|');
  return isContextualKeyword(file, before + text + after, { start: before.length, text });
}

describe('a word that is sometimes a keyword', () => {
  test.each([
    'for (const one |of| list) {',
    'for (const { a } |of| [1, 2]) {',
    'for await (const one |of| (await all())) {',
    'for (const [a, b] |of| map) {',
    'import |type| { A } from "a";',
    'import |type| * as a from "a";',
    'export |type| { A };',
    'import { |type| A } from "a";',
    'import |type| A from "a";',
    '|type| A = string;',
    'export |type| A = string;',
    '  |get| size() {',
    '  |async| run() {',
    '  |readonly| type: string;',
    '  ...|infer| Tail extends A[],',
    "export { a } |from| './a';",
    'import a|from|"a";',
    'import * |as| a from "a";',
    'const a = as |as| string;',
    'function isA(a: unknown): a |is| A {',
    'const a = b |satisfies| B;',
    "declare |module| 'a' {",
    '  |delete| handles[one];',
    'return |new| A();',
    '  } |catch| (error) {',
    '} |finally| {',
  ])('is no name in %s', (line) => {
    expect(isOne(line)).toBe(true);
  });

  test.each([
    'return |of|(1);',
    'for (const one of |of|(1, 2)) {',
    'for (let i = |of| (1); i < 2; i++) {',
    'import { |of| } from "rxjs";',
    'import { type |type| } from "a";',
    'import |type| from "a";',
    'const a = |type| as string;',
    '  |type|: string;',
    '  |type|?: string;',
    'action.|type| ',
    'action.|type| A',
    'if ("a" in b && |type| in c) {',
    '  |get|(key: string) {',
    'const |type| = 1;',
    'this.#|type| x',
    'for (const |of| of list) {',
    'for (|of| of list) {',
    'call(|of| , 1)',
    "import { |from| } from 'rxjs';",
    "import |from| from 'a';",
    '|from|([1, 2]).pipe()',
    'return |from| `text`;',
    'import { |as| as a } from "a";',
    'import * as |is| from "is";',
    'if (|is| in a) {',
    "a.|from| 'text'",
    'api.|delete| one',
    '  |delete|(one: string): void;',
    '  |delete|: 1,',
    '  |catch|(run: () => void) {',
    'promise.|catch|(() => {})',
    'promise.|finally|(() => {})',
    '  |finally|(run: () => void) {',
  ])('may be a name in %s', (line) => {
    expect(isOne(line)).toBe(false);
  });

  test.each([
    '<Row |static| wide />',
    '  |static| wide={1}',
    '  |readonly| disabled',
    '<Row a="b" |is| c>',
    '<Fade onExited={() => close({ a })} |in| timeout={500} />',
    '  onExited={() => close()} |in| timeout={500}',
    '  title="a > b" |async| defer',
  ])('may be an attribute in %s', (line) => {
    expect(isOne(line, 'a.tsx')).toBe(false);
    expect(isOne(line, 'a.ts')).toBe(true);
  });

  test('is no attribute outside of tags', () => {
    expect(isOne('export |async| function run() {', 'a.tsx')).toBe(true);
    expect(isOne('  |static| run() {', 'a.tsx')).toBe(true);
    expect(isOne('|type| A = {', 'a.tsx')).toBe(true);
  });

  test('begins a statement of Python', () => {
    for (const line of ['    |match| command:', '|case| "a" | "b":', '|type| Point = tuple[int, int]'])
      expect(isOne(line, 'a.py')).toBe(true);
    for (const line of ['|match| = 1', '|match| (a)', '|match| in a', 'a = |match| if b else c', '|type|(a)'])
      expect(isOne(line, 'a.py')).toBe(false);
  });

  test('is not known in other languages', () => {
    expect(isOne('|type| A = string;', 'a.go')).toBe(false);
  });
});

describe('the name of a type that has a keyword', () => {
  test.each([
    'function f(a: |string|): void {',
    'const f = (a?: |string|, b) => a;',
    'function f(): |string| {',
    'const f = (): |string|[] => [];',
    '  name?: |string|;',
    '  private readonly name?: |string|;',
    'let a: |string|[] = [];',
    'f(a as |string|);',
    'const a = b as |string|;',
    'f<|string|>(a);',
    'let a: Record<|string|, number>;',
  ])('is no value in %s', (line) => {
    expect(isOne(line)).toBe(true);
  });

  test.each([
    'const a = { name: |string|, other };',
    'return b ? a : |string|;',
    'export { a as |string| };',
    '  _string as |string|,',
    'z.|string|[]',
    'f(|string|);',
    'const a = |string|;',
    'if (a < |string| > b) {',
    'f(a<|string|, b);',
    'case name: |string|;',
    'const a = (b ? c() : |string|);',
    'typeof |string|',
    '  name: |string|;',
    '  1: |symbol|;',
    'f(x: |object|.Thing) {',
    'let a: Record<|object|.Thing, number>;',
    'let s: typeof |symbol|[];',
    'f(a<|symbol|>b);',
    '|string|()',
  ])('may be one in %s', (line) => {
    expect(isOne(line)).toBe(false);
  });

  test('is no value among other types', () => {
    expect(isContextualKeyword('a.ts', '  name?: string | null;', { start: 9, text: 'string' })).toBe(true);
  });

  test('is a name in JavaScript', () => {
    expect(isOne('  name?: |string|;', 'a.js')).toBe(false);
  });
});

describe('a word that is sometimes a type', () => {
  const isOne = (marked: string, file = 'a.ts') => {
    const [before = '', text = '', after = ''] = marked.split('|'.repeat(2));
    return isTypeKeyword(file, before + text + after, { start: before.length, text });
  };

  test.each([
    'make(source: ||object||): void',
    'make(a: string,\n  b:\n    ||object||\n)',
    'make<T extends ||object|| = any>(',
    'let a: WeakMap<||object||, string> | undefined',
    'let a: Map<string, ||object||>',
    'let a: Map<Set<B>, ||object||, C>',
    'let a: B & Record<Exclude<keyof M, keyof S>, ||never||>',
    'const a = this as ||object||',
    'type A<T> = T extends B ? ||object|| : string',
    'let a: (||string|| | number)[] = []',
    'const a: [string, ||string||][] = [',
    'f<[A, string, ||string||]>()',
    'function is(a: any): a is ||string||[]',
  ])('is one in %s', (line) => {
    expect(isOne(line)).toBe(true);
  });

  test.each([
    'observable.||object||(v)',
    'observable?.||object||',
    'f({ ||object||: 1 })',
    'f({ a: 1, ||object|| })',
    'type A = { ||object||: string }',
    'type A = { a: string; ||object||?: string }',
    '||object||(a: string): void',
    'let a: ||Object||',
    'f([a, ||string||])',
  ])('may be a name in %s', (line) => {
    expect(isOne(line)).toBe(false);
  });

  test('is not known in JavaScript', () => {
    expect(isOne('a ? b : ||object||', 'a.js')).toBe(false);
  });
});
