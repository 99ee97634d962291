import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Outcome } from '../../../src/tools/run/tool.ts';
import { openTestBridge, type TestBridge } from '../../test-bridge.ts';
import { withSeed } from '../../with-seed.ts';

const numbers = Array.from({ length: 45 }, (_, index) => index);
const files = {
  'a.txt': `class base\nfunction alpha\n${numbers.map((index) => `function caller${index}\nalpha é\n`).join('')}`,
  'b.txt': numbers.map((index) => `class kind${index} base\nERROR_${index} WARN_${index}\n`).join(''),
  'other.txt': 'nothing\n',
};
const alpha = { file_path: 'a.txt', line: 2, character: 10 };
const base = { file_path: 'a.txt', line: 1, character: 7 };

/** A question of each tool that lists, and the names of its lists. */
const questions: readonly (readonly [tool: string, input: object, ...lists: string[]])[] = [
  ['find_definition', alpha, 'definitions'],
  ['find_references', alpha, 'references'],
  ['find_implementations', base, 'implementations'],
  ['get_call_hierarchy', { ...alpha, direction: 'both', depth: 2 }, 'calls'],
  ['get_type_hierarchy', { ...base, direction: 'subtypes' }, 'types'],
  ['search_workspace_symbols', { query: 'caller' }, 'symbols'],
  ['get_document_symbols', { file_path: 'a.txt' }, 'symbols'],
  ['get_completions', { file_path: 'a.txt', line: 4, character: 1 }, 'completions'],
  ['get_inlay_hints', { file_path: 'a.txt' }, 'hints'],
  ['get_diagnostics', { file_paths: ['a.txt', 'b.txt'] }, 'diagnostics'],
  ['get_code_actions', { file_path: 'b.txt', line: 1, end_line: 40 }, 'actions'],
];

/** What happens between two pages, none of which concerns the list. */
const between = fc.constantFrom('nothing', 'nothing', 'edit', 'restart', 'other page');
const step = fc.record({ max_tokens: fc.integer({ min: 100, max: 1_500 }), between });

it('RES-02: the pages of a list make up the list, whatever the budgets are and whatever else happens', {
  timeout: 240_000,
}, async () => {
  const bridge = await openTestBridge({ files });
  const steps = fc.array(step, { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...questions), steps, async ([tool, input, ...lists], budgets) => {
      const whole = await bridge.call(tool, { ...input, max_tokens: 20_000 });
      expect(whole.isError, whole.text).toBe(false);
      expect(whole.data.next_cursor).toBeUndefined();
      const told: unknown[] = [];
      let page: Outcome | undefined;
      for (let at = 0; page === undefined || page.data.next_cursor !== undefined; at += 1) {
        const { max_tokens, between } = budgets[at % budgets.length] ?? {
          max_tokens: 500,
          between: 'nothing',
        };
        if (page && at < budgets.length) await happen(bridge, between, at);
        const next = page ? { cursor: page.data.next_cursor } : input;
        page = await bridge.call(tool, { ...next, max_tokens });
        expect(page.isError, page.text).toBe(false);
        expect(page.data).toMatchObject({ total: whole.data.total, complete: whole.data.complete });
        told.push(...listed(page, lists));
      }
      // Problems are told the worst first by pages, and on a page where they stand.
      const ordered = tool === 'get_diagnostics' ? sorted : (some: readonly unknown[]) => some;
      expect(ordered(told)).toEqual(ordered(listed(whole, lists)));
    }),
    withSeed({ numRuns: 22, endOnFailure: true }),
  );
});

async function happen(bridge: TestBridge, what: string, at: number): Promise<void> {
  if (what === 'edit') bridge.write('other.txt', `nothing ${at} ${Math.random()}\n`);
  else if (what === 'restart') await bridge.call('restart_server', {});
  else if (what === 'other page') await bridge.call('find_references', { ...alpha, max_tokens: 200 });
}

function sorted(things: readonly unknown[]): readonly string[] {
  return things.map((thing) => JSON.stringify(thing)).sort();
}

function listed({ data }: Outcome, lists: readonly string[]): readonly unknown[] {
  return lists.flatMap((list) => {
    const things = data[list];
    // What the first of a page stands below was told on the page before.
    return Array.isArray(things) ? things.map(({ below: _, ...thing }) => thing) : [];
  });
}
