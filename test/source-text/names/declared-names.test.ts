import { expect, it } from 'vitest';
import { declaredNames } from '../../../src/source-text/names/declared-names.ts';

/** A file, a line of it, and what it declares: kind, name and 0-based column. */
const lines: readonly (readonly [string, string, string | undefined])[] = [
  ['a.ts', 'export class Store {', 'class Store 13'],
  ['a.ts', 'export default async function load() {', 'function load 30'],
  ['a.ts', 'function* items() {', 'function items 10'],
  ['a.tsx', 'export const View = () => null;', 'constant View 13'],
  ['a.ts', '  const local = 1;', undefined],
  ['a.ts', '  function inner() {}', 'function inner 11'],
  ['a.ts', 'export declare namespace Shop {}', 'namespace Shop 25'],
  ['a.ts', "import { Store } from './store';", undefined],
  ['a.ts', '// class Store', undefined],
  ['a.ts', ' * class Store', undefined],
  ['a.ts', 'return Store;', undefined],
  ['a.py', 'def shared_measure(value):', 'function shared_measure 4'],
  ['a.py', '    async def total(self):', 'method total 14'],
  ['a.py', 'class Store:', 'class Store 6'],
  ['a.py', '# def old():', undefined],
  ['a.go', 'func (s *Store) Total() int {', 'function Total 16'],
  ['a.go', 'type Store struct {', 'class Store 5'],
  ['a.rs', 'pub(crate) fn total() -> i32 {', 'function total 14'],
  ['a.rs', '    pub fn total(&self) -> i32 {', 'method total 11'],
  ['A.java', 'public final class Store {', 'class Store 19'],
  ['a.kt', 'data class Price(val amount: Int)', 'class Price 11'],
  ['a.cs', '    public interface IStore {', 'interface IStore 21'],
  ['a.rb', '  def self.total', 'method total 11'],
  ['a.hpp', 'class Store {', 'class Store 6'],
  ['notes.md', 'class Store', undefined],
  ['a.ts', 'constructor (x) {', undefined],
];

it.each(lines)('%s: %s', (file, line, expected) => {
  const found = declaredNames(file, `\n${line}\n`, () => true);
  const told = found.map(({ name, kind, position }) => `${kind} ${name} ${position.character}`);
  expect(told).toEqual(expected === undefined ? [] : [expected]);
  for (const { position } of found) expect(position.line).toBe(1);
});

it('only wanted names are declared', () => {
  const text = 'class Store:\n    pass\nclass Shop:\n    pass\n';
  expect(declaredNames('a.py', text, (name) => name === 'Shop')).toEqual([
    { name: 'Shop', kind: 'class', position: { line: 2, character: 6 } },
  ]);
});
