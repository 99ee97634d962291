import { expect, test } from 'vitest';
import {
  conditionsAround,
  conditionsOfModule,
  mayBeSetByBuild,
} from '../../../src/source-text/enclosing/rust-conditions.ts';

test.each<[string, readonly string[]]>([
  ['#[cfg(windows)]\n#[inline]\npub fn |run() {}', ['windows']],
  ["#[cfg(windows)]\nfn run<'a>(x: &'a str) -> u8 {\n    |call();\n}", ['windows']],
  ['#[cfg(feature = "a]b")]\nimpl Shop { fn |run() {} }', ['feature = "a]b"']],
  ['#[cfg(unix)]\nmod one { #[cfg(windows)] fn a() {} fn |run() {} }', ['unix']],
  ['struct A { a: u8, #[cfg(all(unix, test))] |b: u8 }', ['all(unix, test)']],
  ['struct A { #[cfg(unix)] a: u8, |b: u8 }', []],
  ['#[cfg(unix)]\nfn a<T>() where T: A, u8: B {\n    |run();\n}', ['unix']],
  ['#![cfg(unix)]\nuse a::b;\nfn |run() {}', ['unix']],
  ['cfg_if! { if #[cfg(windows)] { fn |run() {} } }', ['windows']],
  ['// #[cfg(windows)]\nfn |run() {}', []],
  ['#[cfg(windows)]\nuse a;\nfn |run() {}', []],
  ['#[cfg_attr(windows, inline)]\nfn |run() {}', []],
])('the code at the mark is compiled under some conditions: %s', (marked, expected) => {
  expect(conditionsAround(marked.replace('|', ''), marked.indexOf('|'))).toEqual(expected);
});

test('A module of another file has the conditions of its declaration', () => {
  expect(conditionsOfModule('#[cfg(windows)]\npub(crate) mod win;\nmod other;', 'win')).toEqual(['windows']);
  expect(conditionsOfModule('#[cfg(windows)]\npub(crate) mod win;\nmod other;', 'other')).toEqual([]);
  expect(conditionsOfModule('mod win { }', 'win')).toBeUndefined();
});

test.each([
  ['windows', false],
  ['all(not(test), target_os = "linux", feature = "made")', false],
  ['has_thing', true],
  ['any(unix, has_thing)', true],
])('only a build script may set what %s asks for: %s', (condition, expected) => {
  expect(mayBeSetByBuild(condition)).toBe(expected);
});
