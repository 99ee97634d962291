import { expect, it } from 'vitest';
import { includesAsPart, mayNeedOthers } from '../../src/source-text/c-fragments.ts';

it.each([
  ['static int table[] = {\n#include "part.h"\n};\n', 'part.h', true],
  ['struct a { int b; };\nvoid f(void) {\n  # include "lib/part.h"\n}\n', 'part.h', true],
  ['#include "whole.h"\nint table[] = { 1 };\n', 'whole.h', false],
  ['extern "C" {\n#include "whole.h"\n}\n', 'whole.h', false],
  ['namespace a {\n#include "part.h"\n}\n', 'part.h', true],
  ['/* { */ char *a = "{", b = \'{\'; // {\n#include "whole.h"\n', 'whole.h', false],
  ['#ifdef A\nint f() {\n#else\nint g() {\n#endif\n}\n#include "whole.h"\n', 'whole.h', false],
  ['#define PREFIX(a) a\n#include "part.c"\n', 'part.c', true],
  ['int a[] = {\n#include "other.h"\n};\n', 'part.h', false],
])('the text %j takes %s as a part: %s', (text, file, expected) => {
  expect(includesAsPart(text, `/w/${file}`)).toBe(expected);
});

it.each([
  ['a.h', '/* A */\n#ifndef A_H\n#define A_H\nint a;\n#endif\n', false],
  ['a.h', '#if !defined(A_H)\n# define A_H 1\n#endif\n', false],
  ['a.hpp', '#pragma once\nint a;\n', false],
  ['a.h', '#ifndef A\n#define B\n#endif\nKIND_A,\n', true],
  ['a.c', '#include <stdio.h>\nint a;\n', false],
  ['a.c', 'static int PREFIX(a)(void) { return 1; }\n', true],
])('the file %s with %j may need others: %s', (file, text, expected) => {
  expect(mayNeedOthers(file, text)).toBe(expected);
});
