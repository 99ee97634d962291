import { expect, it } from 'vitest';
import { preambleOf } from '../../src/servers/projects/c-preamble.ts';

it.each([
  ['#include "a.h"\n|int x;\n#include "b.h"\n'],
  ['// a comment\n/* another\n */\n\n#include <a.h> // why\n#define N \\\n  1\n|int x;\n'],
  ['#define A /* a comment\n that goes on */ 1\n#include "b.h"\n|static int x;\n'],
  ['#ifdef A\n#include "a.h"\n#endif\n|void f();\n'],
  ['#define URL "http://a.b"\n|int x;\n'],
  ['// a comment that goes \\\n   on\n|int x;\n'],
  ['\r\n#include "a.h"\r\n#define N \\\r\n 1\r\n|int x;\r\n'],
  ['|int x;\n'],
  ['|'],
  ['#include "a.h"|'],
  ['/* never closed\nint x;\n|'],
])('the preamble of %j ends before its code', (marked) => {
  expect(preambleOf(marked.replace('|', ''))).toBe(marked.slice(0, marked.indexOf('|')));
});

it('hostile texts are read in linear time', () => {
  for (const part of ['#', '/*', '//', '# /*', '#define A \\\n', '\\\n', ' ', '/**/', '"', '#"/*'])
    expect(preambleOf(part.repeat(300_000)).length).toBeGreaterThanOrEqual(0);
});
