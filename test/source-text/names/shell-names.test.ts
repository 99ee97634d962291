import { expect, it } from 'vitest';
import { isShell, isUsedInShellString, mayReadScript } from '../../../src/source-text/names/shell-names.ts';

it.each([
  ['"at $x"', true],
  ['"at ${x}"', true],
  ['"at ${#x}"', true],
  ['"at \\$x"', false],
  ["'at $x'", false],
  ['"it\'s $x"', true],
  ['"$(x)"', true],
  ['"$(date x)"', true],
  ['"`x`"', true],
  ['"x"', false],
  ["trap 'x; true' EXIT", true],
  ['eval "x 1"', true],
  ["bash -c 'x {}'", true],
  ["sh -ec 'x {}'", true],
  ["grep 'x'", false],
])('tells whether a string of a shell uses a name: %s', (text, is) => {
  const start = text.indexOf('x');
  expect(isUsedInShellString('a.sh', text, { start, end: start + 1 })).toBe(is);
  expect(isUsedInShellString('a.py', text, { start, end: start + 1 })).toBe(false);
});

it('knows scripts of a shell by their endings or their first lines', () => {
  expect(['/a.sh', '/b.bats', '/c/.bashrc', '/d'].map((file) => isShell(file))).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(isShell('/tool', '#!/usr/bin/env bash\n')).toBe(true);
  expect(isShell('/tool', '#!/usr/bin/env python3\n')).toBe(false);
});

it.each([
  ['#!/bin/sh\n. "$here/other.sh"\n', true],
  ['#!/bin/bash\n[ -f x ] && source x\n', true],
  ['#!/bin/bash\n./lib.sh\n', false],
  ['#!/bin/bash\necho source\n', false],
  ['all:\n\t. scripts/lib.sh && x\n', true],
  ['RUN source "/etc/lib.sh" && x\n', true],
  ['all:\n\t./scripts/lib.sh x\n', false],
  ['all:\n\t. scripts/my-lib.sh && x\n', false],
  ['all:\n\tsource lib.shx && x\n', false],
])('tells whether a text may read in a script: %j', (text, may) => {
  expect(mayReadScript(text, '/tools/lib.sh')).toBe(may);
});

it('takes time in proportion to the text', () => {
  for (const part of ['. ', '$(', "trap '", '#!sh . ', 'source '])
    expect(mayReadScript(part.repeat(20_000), '/lib.sh') && isShell('/a', part.repeat(20_000))).toBe(false);
});
