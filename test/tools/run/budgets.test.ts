import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LspanError } from '../../../src/core/errors.ts';
import { limits } from '../../../src/core/limits.ts';
import { estimateTokens, fittingDoubts } from '../../../src/tools/run/budget.ts';
import { renderError } from '../../../src/tools/run/render-error.ts';
import { openTestBridge } from '../../test-bridge.ts';
import { withSeed } from '../../with-seed.ts';

const budgets = fc.record({
  maxTokens: fc.oneof(fc.integer({ min: 100, max: 400 }), fc.integer({ min: 100, max: limits.tokens.most })),
  shown: fc.constantFrom('text' as const, 'data' as const),
});

function sizeOf({ text, data }: { text: string; data: object }, shown: 'text' | 'data'): number {
  return estimateTokens(shown === 'text' ? text : JSON.stringify(data));
}

/** What a server answers where everything is as long and as many as these say. */
function replies(count: number, length: number, word: string): Readonly<Record<string, unknown>> {
  const many = Array.from({ length: count }, (_, line) => {
    const range = { start: { line, character: 0 }, end: { line, character: 5 } };
    return { range, name: `${word.repeat(length)}${line}`, uri: 'file://<root>/a.txt' };
  });
  const places = many.map(({ uri, range }) => ({ uri, range }));
  const symbols = many.map(({ name, range }) => ({
    name,
    detail: name,
    kind: 12,
    range,
    selectionRange: range,
  }));
  const problems = many.map(({ name, range }) => ({ range, severity: 2, message: name, source: name }));
  return {
    'textDocument/definition': places,
    'textDocument/references': places,
    'textDocument/hover': { contents: word.repeat(count * length) },
    'textDocument/documentSymbol': symbols,
    'workspace/symbol': many.map(({ name, uri, range }) => ({ name, kind: 12, location: { uri, range } })),
    'textDocument/diagnostic': { kind: 'full', items: problems },
    'textDocument/codeAction': many.map(({ name }) => ({ title: name, kind: 'quickfix', edit: {} })),
  };
}

const at = { file_path: 'a.txt', line: 1, character: 1 };
const calls: readonly (readonly [string, object])[] = [
  ['find_definition', at],
  ['find_references', { ...at, include_mentions: true }],
  ['search_workspace_symbols', { query: 'x' }],
  ['get_document_symbols', { file_path: 'a.txt' }],
  ['get_hover', at],
  ['get_diagnostics', { file_path: 'a.txt' }],
  ['get_code_actions', { file_path: 'a.txt' }],
  ['get_server_status', {}],
  ['find_definition', { symbol_name: 'alpha' }],
  ['get_document_symbols', { file_path: 'missing'.repeat(500) }],
];

describe('a budget', () => {
  const shapes = [
    [300, 1, 'x'],
    [250, 40, '字 '],
    [3, 3_000, '\u202e'],
    [1, 20_000, 'long '],
  ] as const;

  it.each(shapes)('is kept by every tool with %i items of %i times %j', async (count, length, word) => {
    const rules = Object.entries(replies(count, length, word)).map(([method, replyValue]) => ({
      on: { method },
      do: [{ replyValue }],
    }));
    const files = { 'a.txt': `alpha ${'beta '.repeat(60)}\n`.repeat(300) };
    const bridge = await openTestBridge({ files, servers: { fake: { lives: [{ rules }] } } });
    const property = fc.asyncProperty(fc.constantFrom(...calls), budgets, async ([tool, input], budget) => {
      const { maxTokens, shown } = budget;
      const outcome = await bridge.call(tool, { ...input, max_tokens: maxTokens }, { shown });
      // One thing is always carried, and the names of its fields cannot be cut.
      const most = shown === 'data' ? Math.max(maxTokens, 150) : maxTokens;
      expect(sizeOf(outcome, shown), tool).toBeLessThanOrEqual(most);
      if (typeof outcome.data.total !== 'number' || outcome.data.total === 0) return;
      // It always goes on.
      expect(outcome.data.returned, tool).toBeGreaterThan(0);
    });
    await fc.assert(property, withSeed({ numRuns: 40 }));
  });

  it('is kept by errors with very many candidates and very long messages', () => {
    const long = fc.string({ unit: 'binary', maxLength: 5_000 });
    const candidates = fc.array(fc.record({ id: long, text: long }), { maxLength: 300 });
    const property = fc.property(long, long, candidates, budgets, (message, nextStep, listed, budget) => {
      const told = renderError(
        new LspanError('ambiguous', message, { nextStep, candidates: listed }),
        budget,
      );
      expect(sizeOf(told, budget.shown)).toBeLessThanOrEqual(budget.maxTokens);
      expect(told.text.startsWith('ambiguous: ')).toBe(true);
    });
    fc.assert(property, withSeed({ numRuns: 50 }));
  });

  it('gives doubts at most about half of it, and says how many more there are', () => {
    const doubts = Array.from({ length: 200 }, (_, index) => ({
      kind: 'indexing' as const,
      detail: `${index} ${'why '.repeat(100)}`,
    }));
    const told = fittingDoubts(doubts, { maxTokens: 1_000, shown: 'text' });
    expect(told.at(-1)?.detail).toBe(`${200 - told.length + 1} more doubts are not listed.`);
    expect(estimateTokens(JSON.stringify(told))).toBeLessThan(600);
  });
});
