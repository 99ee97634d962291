import { expect, it } from 'vitest';
import { z } from 'zod';
import { LspanError } from '../../../src/core/errors.ts';
import { fenced, indented } from '../../../src/tools/run/fenced.ts';
import { renderError } from '../../../src/tools/run/render-error.ts';
import { renderResult } from '../../../src/tools/run/render-result.ts';
import type { ToolParts } from '../../../src/tools/run/tool.ts';

const data = z.object({ items: z.array(z.string()) });
const tool: ToolParts<z.ZodType, z.output<typeof data>> = {
  name: 'list',
  title: 'List',
  toolset: 'symbols',
  listed: true,
  description: '',
  input: z.object({}),
  output: data,
  effects: 'none',
  answer: () => Promise.reject(new Error('not asked')),
  render: () => 'payload',
  count: ({ items }) => items.length,
};
const budget = { shown: 'text', maxTokens: 1_000 } as const;

/** Every line that the renderers add to what a tool or an error says. */
const own: readonly string[] = [
  ...[
    undefined,
    { from: 0, length: 9, cursorAt: () => 'c' },
    { from: 8, length: 9, cursorAt: () => 'c' },
  ].flatMap((part) =>
    linesOf(renderResult(tool, { data: { items: ['a'] }, total: 9, ...findings() }, budget, part)),
  ),
  ...linesOf(renderError(new LspanError('ambiguous', 'Which?', candidates(20)), budget)).filter(
    (line) => !line.startsWith('  {'),
  ),
];

function findings() {
  return { doubts: [{ kind: 'indexing', detail: 'It loads.' } as const], adjusted: 'another line' };
}

function candidates(count: number) {
  return { candidates: Array.from({ length: count }, () => ({ id: 'x'.repeat(300) })), nextStep: 'Choose.' };
}

function linesOf({ text }: { readonly text: string }): string[] {
  return text.split('\n').slice(1);
}

it('the renderers add lines of five kinds', () => {
  expect(own.map((line) => line.replace(/\d+/g, '0'))).toEqual([
    '… 0-0 of 0: narrow the question, or raise max_tokens.',
    'Read as: another line',
    'May be incomplete (indexing): It loads.',
    '… 0-0 of 0; next: cursor "c"',
    'Read as: another line',
    'May be incomplete (indexing): It loads.',
    '… 0-0 of 0.',
    'Read as: another line',
    'May be incomplete (indexing): It loads.',
    '… 0 more: narrow the question, or raise max_tokens.',
    'Next: Choose.',
  ]);
});

it.each([...new Set(own)])('a text with the line %j of our own is put between marks', (line) => {
  for (const text of [line, `first\n${line}`, `first\n\t ${line}\nlast`]) {
    expect(fenced(text)).toMatch(/^<<([0-9a-f]{8}) not from lspan:\n[\s\S]*\n\1>>$/);
    expect(indented(text, '  ')).not.toContain('\n');
  }
});

it('a text that contains such words inside a line is left as it is', () => {
  const text = 'The line Next: is fine\n… and so is this';
  expect(fenced(text)).toBe(text);
});
