import { expect, it } from 'vitest';
import { isFunctionAt, typeWrittenAfter, valueBefore } from '../../src/source-text/members/written-class.ts';

function typeIn(marked: string, file: string): string | undefined {
  const text = marked.replace('^', '');
  const found = typeWrittenAfter(file, text, marked.indexOf('^'));
  return found === undefined ? undefined : /^\w+/.exec(text.slice(found))?.[0];
}

it.each([
  ['function f(^client: Client) {}', 'Client'],
  ['function f(^client?: Client<T> | null, b = 1) {}', 'Client'],
  ['class A {\n  private ^client!: Client;\n}', 'Client'],
  ['class A {\n  ^client: Client\n  b() {}\n}', 'Client'],
  ['const ^client = new Client<T>(1);', 'Client'],
  ['const ^client: Client = make();', 'Client'],
  ['let ^client: Client\n  | Server', undefined],
  ['let ^client: Client | Server', undefined],
  ['let ^client: Client[]', undefined],
  ['let ^client: ns.Client', undefined],
  ['let ^client: Client & Server', undefined],
  ['let ^client: () => Client', undefined],
  ['type A = { ^client: Client => void }', undefined],
  ['const ^client = make();', undefined],
  ['let ^client: Client\r\n  | Server', undefined],
  ['const ^user = new Builder().build();', undefined],
  ['const ^user = new Builder()\n  .build();', undefined],
  ['const ^one = new Old() as unknown as Fresh;', undefined],
  ['const ^one = new Old() || new Fresh();', undefined],
  ['class A {\n  own = new Client()\n  ^other = new Client()\n}', 'Client'],
])('the type written in %s is %s', (text, expected) => {
  expect(typeIn(text, 'a.ts')).toBe(expected);
});

it.each([
  ['def f(^client: Client):', 'Client'],
  ['def f(^client: "Client" = None):', 'Client'],
  ['def f(^client: Client | None, b):', 'Client'],
  ['def f(^client: t.Optional["Client"]):', 'Client'],
  ['    self.^client = Client(1)', 'Client'],
  ['^client: Client\n', 'Client'],
  ['def f(^client: list[Client]):', undefined],
  ['def f(^client: Client | Server):', undefined],
  ['^client = ns.Client()', undefined],
  ['^client = Client()', 'Client'],
  ['    self.^client = Client(1)  # ours', 'Client'],
  ['    self.^user = Builder().build()', undefined],
  ['    self.^one = Client() if flag else Server()', undefined],
  ['class Model:\n    ^title = Column()', undefined],
])('the type written in %s of Python is %s', (text, expected) => {
  expect(typeIn(text, 'a.py')).toBe(expected);
});

it.each([
  ['this.client.^get()', 'client'],
  ['client?.^get()', 'client'],
  ['client!\n  .^get()', 'client'],
  ['make().^get()', undefined],
  ['list[0].^get()', undefined],
  ['^get()', undefined],
])('the value before the member in %s is %s', (marked, expected) => {
  const text = marked.replace('^', '');
  const found = valueBefore(text, marked.indexOf('^'));
  expect(found === undefined ? undefined : /^\w+/.exec(text.slice(found))?.[0]).toBe(expected);
});

it.each([
  ['export function ^make<T>(a: T) {}', true],
  ['export const ^make = async (a) => a;', true],
  ['export const ^make = a => a;', true],
  ['export const ^client = new Client();', false],
  ['export class ^Client {}', false],
  ['export const ^client: Client = make();', false],
])('what is declared in %s is a function: %s', (marked, expected) => {
  expect(isFunctionAt(marked.replace('^', ''), marked.indexOf('^'))).toBe(expected);
});

it('a variable of JavaScript may get another value', () => {
  expect(typeIn('let ^one = new Reader();', 'a.js')).toBeUndefined();
  expect(typeIn('const ^one = new Reader();', 'a.js')).toBe('Reader');
});
