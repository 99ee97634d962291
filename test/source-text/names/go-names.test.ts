import { expect, it } from 'vitest';
import { isOfOwnPackage } from '../../../src/source-text/names/go-names.ts';

const text = 'package main\n\nimport (\n\tother "a/b"\n\t"go.in/yaml.v3"\n)\nimport x "c"\nvar cart = 1\n';

it.each<[string, string, boolean]>([
  ['cart', 'var cart = 1', true],
  ['Cart', 'type Cart struct {', false],
  ['Ärger', 'var Ärger = 1', false],
  ['größe', 'var größe = 1', true],
  ['_Cart', 'var _Cart = 1', true],
  ['main', 'func main() {}', true],
  ['main', 'package main', false],
  ['other', 'other.Do()', false],
  ['yaml', 'yaml.Do()', false],
  ['x', 'x.Do()', false],
])('knows whether only its own package can use %s: %j', (name, line, expected) => {
  expect(isOfOwnPackage('a.go', text, { name, line })).toBe(expected);
});

it('says nothing of other languages', () => {
  expect(isOfOwnPackage('a.ts', text, { name: 'cart', line: 'var cart = 1' })).toBe(false);
});
