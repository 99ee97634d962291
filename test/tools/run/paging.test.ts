import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { findReferences } from '../../../src/tools/navigation/find-references.ts';
import type { ListSnapshot, Outcome } from '../../../src/tools/run/tool.ts';
import { ListSnapshots } from '../../../src/tools/state/list-snapshot.ts';
import { expectError, openTestBridge, openTestWorld, type TestBridge } from '../../test-bridge.ts';

const uses = (count: number) => Array.from({ length: count }, (_, index) => `alpha use ${index}\n`).join('');
const files = { 'a.txt': 'function alpha\n', 'b.txt': uses(449), 'c.txt': 'other words\n' };
const question = { file_path: 'a.txt', line: 1, character: 10 };

const options = {
  deadline: 30_000,
  maxTokens: 4_000,
  shown: 'text',
  report() {},
  log() {},
  signal: new AbortController().signal,
} as const;

function ask(bridge: TestBridge, more: object): Promise<Outcome> {
  return bridge.call('find_references', more);
}

/** Follows the cursors to the end; the places in the order in which they came. */
async function walk(bridge: TestBridge, tool: string, first: object, more: object, list: string) {
  const pages: Outcome[] = [await bridge.call(tool, { ...first, ...more })];
  for (let next = pages[0]?.data.next_cursor; next !== undefined; next = pages.at(-1)?.data.next_cursor) {
    pages.push(await bridge.call(tool, { cursor: next, ...more }));
  }
  const told = pages.flatMap(({ data }) => Object(data)[list] ?? []);
  return { pages, told };
}

describe('RES-02 a list that is longer than a page', () => {
  it('is shown page by page, each item once, in the order of the whole', async () => {
    const bridge = await openTestBridge({ files });
    const { pages, told } = await walk(
      bridge,
      'find_references',
      question,
      { max_tokens: 20_000 },
      'references',
    );
    expect(pages.map(({ data }) => data.returned)).toEqual([200, 200, 50]);
    expect(pages.every(({ data }) => data.total === 450 && data.complete === true)).toBe(true);
    const places = told.map((one) => `${one.file_path}:${one.line}`);
    expect(places).toEqual(['a.txt:1', ...Array.from({ length: 449 }, (_, index) => `b.txt:${index + 1}`)]);
    expect(pages[0]?.text).toMatch(/\n… 1-200 of 450; next: cursor "[0-9a-f]{10}-200-[0-9a-f]{4}"$/);
    expect(pages[2]?.text).toMatch(/\n… 401-450 of 450\.$/);
  });

  it('continues after the last item that fitted, whatever the budgets are', async () => {
    const bridge = await openTestBridge({ files });
    const narrow = await walk(bridge, 'find_references', question, { max_tokens: 700 }, 'references');
    const wide = await walk(bridge, 'find_references', question, { max_tokens: 20_000 }, 'references');
    expect(narrow.pages.length).toBeGreaterThan(wide.pages.length);
    expect(narrow.told).toEqual(wide.told);
  });

  it('has the same cursors for the same call, and accepts one alone or with the same arguments', async () => {
    const bridge = await openTestBridge({ files });
    const [first, again] = [await ask(bridge, question), await ask(bridge, question)];
    expect(again.text).toBe(first.text);
    const cursor = first.data.next_cursor;
    const alone = await ask(bridge, { cursor });
    const beside = await ask(bridge, { ...question, include_declaration: true, cursor });
    expect(alone.isError).toBe(false);
    expect(beside.text).toBe(alone.text);
    expectError(await ask(bridge, { ...question, line: 2, cursor }), 'cursor_invalid', /other arguments/);
  });

  it('refuses a cursor that is garbled, or of another tool', async () => {
    const bridge = await openTestBridge({ files });
    const cursor = String((await ask(bridge, question)).data.next_cursor);
    for (const wrong of ['x', `${cursor}0`, cursor.replace(/-\d+-/, '-1-'), `0${cursor.slice(1)}0`]) {
      expectError(await ask(bridge, { cursor: wrong }), 'cursor_invalid');
    }
    expectError(await bridge.call('find_definition', { cursor }), 'cursor_invalid');
    expectError(await ask(bridge, { cursor: 5 }), 'invalid_input');
    // An empty one is none.
    expectError(await ask(bridge, { cursor: '' }), 'invalid_input', /`symbol_name`/);
    expectError(await bridge.call('get_hover', { cursor }), 'invalid_input');
  });

  it('continues if an edit has not changed it, and is stale if one has', async () => {
    const bridge = await openTestBridge({ files });
    const { next_cursor: cursor } = (await ask(bridge, question)).data;
    bridge.write('c.txt', 'quite other words\n');
    const second = await ask(bridge, { cursor });
    expect(second.data).toMatchObject({ total: 450 });
    bridge.write('b.txt', files['b.txt'].replace('use 300', 'not used 300'));
    const third = await ask(bridge, { cursor });
    expect(third.text).toContain('alpha not used 300');
    bridge.write('b.txt', uses(448));
    expectError(await ask(bridge, { cursor }), 'cursor_stale', /without `cursor`/);
    bridge.remove('a.txt');
    expectError(await ask(bridge, { cursor }), 'cursor_stale');
  });

  it('is stale if the file changed while it was asked for, and another call saw that first', async () => {
    const replyValue = Array.from({ length: 449 }, (_, line) => ({
      uri: 'file://<root>/b.txt',
      range: { start: { line, character: 0 }, end: { line, character: 5 } },
    }));
    const late = [{ waitFor: 'textDocument/hover' }, { replyValue }];
    const rules = [{ on: { method: 'textDocument/references', nth: 1 }, do: late }];
    const bridge = await openTestBridge({ files, servers: { fake: { lives: [{ rules }] } } });
    const asking = ask(bridge, question);
    await bridge.sent('textDocument/references');
    bridge.write('b.txt', uses(448));
    await bridge.call('get_hover', question);
    const { next_cursor: cursor } = (await asking).data;
    expectError(await ask(bridge, { cursor }), 'cursor_stale');
  });

  it('asks the server nothing while the disk stays the same', async () => {
    const bridge = await openTestBridge({ files });
    const { next_cursor: cursor } = (await ask(bridge, question)).data;
    const asked = () => bridge.received().filter(({ method }) => method === 'textDocument/references').length;
    const before = asked();
    await bridge.call('get_document_symbols', { file_path: 'c.txt' });
    expect((await ask(bridge, { cursor })).isError).toBe(false);
    expect(asked()).toBe(before);
  });

  it('says on every page that recent changes may be missing, if that is so', async () => {
    const world = await openTestWorld({ files });
    const lost = { kind: 'watch_lost', detail: 'Recent changes may be missing.' } as const;
    const blind = (doubts: readonly (typeof lost)[]) => ({
      ...world,
      workspace: { ...world.workspace, refresh: async () => doubts },
    });
    const seeing = await findReferences.run(blind([]), question, options);
    const second = await findReferences.run(blind([lost]), { cursor: seeing.data.next_cursor }, options);
    expect(seeing.data).toMatchObject({ complete: true, doubts: [] });
    expect(second.data).toMatchObject({ complete: false, doubts: [lost] });
  });

  it('is forgotten when it was not used for 15 minutes', async () => {
    const world = await openTestWorld({ files });
    let now = 0;
    const timed = { ...world, lists: new ListSnapshots<ListSnapshot>(undefined, () => now) };
    const run = (input: object) => findReferences.run(timed, input, options);
    const { next_cursor: cursor } = (await run(question)).data;
    for (let time = 1; time < 4; time += 1) {
      now += limits.listSnapshots.unused;
      expect((await run({ cursor })).isError).toBe(false);
    }
    now += limits.listSnapshots.unused + 1;
    expectError(await run({ cursor }), 'cursor_expired', /without `cursor`/);
  });

  it('is forgotten when there are more than are kept, the least recently used first', () => {
    const lists = new ListSnapshots();
    const never = () => Promise.reject(new Error('not asked'));
    const one = (id: string, bytes = 1) => ({
      id,
      question: '',
      generation: 0,
      bytes,
      tell: never,
      anew: never,
    });
    for (let index = 0; index < limits.listSnapshots.kept; index += 1) lists.keep(one(`l${index}`));
    lists.find('l0');
    lists.keep(one('more'));
    expect(lists.find('l0').id).toBe('l0');
    expect(() => lists.find('l1')).toThrow(expect.objectContaining({ code: 'cursor_expired' }));
    lists.keep(one('large', limits.listSnapshots.bytes));
    expect(() => lists.find('l0')).toThrow(expect.objectContaining({ code: 'cursor_expired' }));
    expect(lists.find('large').id).toBe('large');
  });
});

it('RES-02 if there are more items than lspan lists, the true total is shown', async () => {
  const total = limits.results.total + 5;
  const lines = Array.from({ length: total }, (_, line) => ({ line, character: 0 }));
  const replyValue = lines.map((start) => ({
    uri: 'file://<root>/b.txt',
    range: { start, end: { ...start, character: 5 } },
  }));
  const lives = [{ rules: [{ on: { method: 'textDocument/references' }, do: [{ replyValue }] }] }];
  const bridge = await openTestBridge({
    files: { 'a.txt': 'function alpha\n', 'b.txt': 'alpha\n'.repeat(total) },
    servers: { fake: { lives } },
  });
  const { data } = await ask(bridge, question);
  const capped = {
    kind: 'capped',
    detail: `There are ${total}; lspan lists ${limits.results.total}.`,
  };
  expect(data).toMatchObject({ total, complete: false, doubts: expect.arrayContaining([capped]) });
  expect(data.next_cursor).toBeDefined();
});

describe('RES-02 every tool that lists items', () => {
  const many = Array.from(
    { length: 250 },
    (_, index) => `function word${index}\nERROR_${index}\nWARN_${index}\n`,
  );
  const listing = { 'a.txt': many.join('') };

  it.each([
    ['search_workspace_symbols', { query: 'word' }, 'symbols', 250],
    ['get_document_symbols', { file_path: 'a.txt' }, 'symbols', 250],
    ['get_diagnostics', { file_path: 'a.txt' }, 'diagnostics', 500],
  ])(
    '%s of %j continues by its cursor alone, without duplicates or gaps',
    async (tool, input, list, total) => {
      const bridge = await openTestBridge({ files: listing });
      const { pages, told } = await walk(bridge, tool, input, { max_tokens: 3_000 }, list);
      expect(pages.length).toBeGreaterThan(1);
      expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(total);
      expect(told).toHaveLength(total);
      // What is worse is never told on a later page.
      const ranks = pages.map(({ data }) => [...new Set(severitiesIn(data))].sort());
      expect(ranks.flat()).toEqual([...ranks.flat()].sort());
    },
  );
});

function severitiesIn({ diagnostics }: Outcome['data']): readonly string[] {
  return Array.isArray(diagnostics) ? diagnostics.map(({ severity }) => severity) : [];
}
