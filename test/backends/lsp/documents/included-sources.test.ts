import { expect, it } from 'vitest';
import { areIncluded } from '../../../../src/backends/lsp/documents/included-sources.ts';
import { documentOf } from '../../../../src/workspace/texts/document.ts';
import type { Workspace } from '../../../../src/workspace/workspace.ts';

/** True if a text seems to include `inc.c`. */
function includes(text: string): Promise<boolean> {
  const workspace = {
    mentioning: async () => ['/project/a.c', '/project/inc.c'],
    read: async (path: string) => documentOf(path, path.endsWith('/a.c') ? text : '#include "inc.c"\n'),
  };
  return areIncluded(workspace as unknown as Workspace, ['/project/inc.c'], []);
}

it.each([
  ['#include "inc.c"', true],
  ['int a;\n  # include <lib/inc.c>', true],
  ['#define PART "..\\inc.c"', true],
  ['#define PART \\\n  "inc.c"', true],
  ['#include "inc.cpp" // inc.c', true],
  ['#include "zinc.c"', false],
  ['// see "inc.c"', false],
  ['int a; // inc.c', false],
])('whether %j includes a source: %j', async (text, expected) => {
  expect(await includes(text)).toBe(expected);
});

it.each([
  ['a list of commands in one line', `{"file":"inc.c"},`.repeat(200_000)],
  ['many lines', `int a; // "inc.c"\n`.repeat(200_000)],
  ['a directive without an end', `#define X ${'inc.c '.repeat(400_000)}`],
  ['spaces', `${' '.repeat(2_000_000)}\n${'#   \t'.repeat(400_000)}"inc.c"`],
])('%s is read in one pass: more would take longer than a test may', async (_, text) => {
  expect(await includes(text)).toBe(false);
});
