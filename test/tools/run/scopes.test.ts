import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import type { FakeScript } from '../../fake-server/script.ts';
import { expectError, openTestBridge, type TestBridge } from '../../test-bridge.ts';
import { idOf, onDisk, textOf } from '../rename/renaming-bridge.ts';

const uses = Array.from({ length: 449 }, (_, index) => `alpha use ${index}\n`).join('');
const files = { 'a.txt': 'function alpha\nERROR_a here\n', 'b.txt': uses, 'c.txt': 'one two\n' };
const open = () => openTestBridge({ files });

/** A change of one file that no server is asked about. */
const change = (number: number | string = 1) => ({
  edits: [{ file_path: 'c.txt', old_text: 'one', new_text: `one ${number}` }],
  check: false,
});

type Asks = (tool: string, input: object) => ReturnType<TestBridge['call']>;

/** Two who ask the same bridge. */
function holders(bridge: TestBridge): readonly [Asks, Asks] {
  const as =
    (scope: string): Asks =>
    (tool, input) =>
      bridge.call(tool, input, { scope });
  return [as('one'), as('other')];
}

async function planBy(ask: Asks, input: object = change()): Promise<string> {
  return idOf(await ask('apply_workspace_edit', input));
}

const applyPlan = (ask: Asks, plan_id: string) => ask('apply_workspace_edit', { plan_id, check: false });

describe('TRN-24: a plan', () => {
  it('of another caller is answered as one that was never made, and stays with its owner', async () => {
    const bridge = await open();
    const [one, other] = holders(bridge);
    const plan = await planBy(one);
    const before = onDisk(bridge.root);
    const refused = await applyPlan(other, plan);
    expectError(refused, 'not_found', /There is no plan/);
    const guessed = await applyPlan(other, 'p-aaaaaaaaaa');
    expect(refused.text.replaceAll(plan, '')).toBe(guessed.text.replaceAll('p-aaaaaaaaaa', ''));
    for (const tool of ['rename_symbol', 'format_document', 'get_code_actions'])
      expectError(await other(tool, { plan_id: plan }), 'not_found');
    expectError(await bridge.call('apply_workspace_edit', { plan_id: plan }), 'not_found');
    const batch = [{ tool: 'apply_workspace_edit', args: { plan_id: plan } }];
    const { data } = await other('batch_execute', { operations: batch, dry_run: false });
    expect(data).toMatchObject({ results: [{ ok: false, error: { code: 'not_found' } }] });
    expect(onDisk(bridge.root)).toEqual(before);
    expect((await applyPlan(one, plan)).data).toMatchObject({ edit: {} });
    expect(textOf(bridge, 'c.txt')).toBe('one 1 two\n');
  });

  it('that was used cannot be used again, and only its owner learns that', async () => {
    const bridge = await open();
    const [one, other] = holders(bridge);
    const plan = await planBy(one);
    await applyPlan(one, plan);
    const after = onDisk(bridge.root);
    expectError(await applyPlan(one, plan), 'already_applied', /already applied, as edit/);
    expectError(await applyPlan(other, plan), 'not_found');
    expect(onDisk(bridge.root)).toEqual(after);
  });

  it('that is used twice at once is applied once', async () => {
    const bridge = await open();
    const [one] = holders(bridge);
    const plan = await planBy(one);
    const both = await Promise.all([applyPlan(one, plan), applyPlan(one, plan)]);
    const codes = both.map(({ data }) => ('edit' in data ? 'edit' : 'error'));
    expect(codes.sort()).toEqual(['edit', 'error']);
    expect(textOf(bridge, 'c.txt')).toBe('one 1 two\n');
  });

  it('of another workspace is unknown to every caller', async () => {
    const [here, there] = [await open(), await open()];
    const plan = await planBy(holders(here)[0]);
    expectError(await applyPlan(holders(there)[0], plan), 'not_found', /token or workspace/);
    expect(textOf(there, 'c.txt')).toBe('one two\n');
  });

  it('is dropped for too many later plans of its owner, never for those of another', async () => {
    const bridge = await open();
    const [one, other] = holders(bridge);
    const kept = await planBy(one);
    const flood: string[] = [];
    for (let number = 0; number <= limits.edit.plans; number += 1)
      flood.push(await planBy(other, change(number)));
    const [first = '', second = ''] = flood;
    expectError(await applyPlan(other, first), 'stale', /expired/, /Preview the change again/);
    const look = (ask: Asks, plan_id: string) =>
      ask('apply_workspace_edit', { plan_id, dry_run: true, check: false });
    expect(await look(other, second)).toMatchObject({ isError: false });
    expect(await look(one, kept)).toMatchObject({ isError: false });
  });
});

describe('the history of edits', () => {
  it('belongs to the workspace: an edit can be undone by its id, whoever made it', async () => {
    const bridge = await open();
    const [one, other] = holders(bridge);
    const { data } = await one('apply_workspace_edit', { ...change(), dry_run: false });
    const { edit_id } = Object(data.edit);
    expect((await other('undo_edit', { edit_id, check: false })).isError).toBe(false);
    expect(textOf(bridge, 'c.txt')).toBe('one two\n');
  });

  it('has a latest edit for each caller: an undo without id never reverts the edit of another', async () => {
    const bridge = await open();
    const [one, other] = holders(bridge);
    await one('apply_workspace_edit', { ...change(), dry_run: false });
    await other('create_file', { file_path: 'd.txt', content: 'new\n', dry_run: false, check: false });
    expect((await one('undo_edit', { check: false })).isError).toBe(false);
    expect(textOf(bridge, 'c.txt')).toBe('one two\n');
    expect(textOf(bridge, 'd.txt')).toBe('new\n');
    expectError(await one('undo_edit', { check: false }), 'not_found', /latest one .* is e-/, /`edit_id`/);
    expect((await bridge.call('undo_edit', { check: false })).isError).toBe(false);
    expect(Object.keys(onDisk(bridge.root))).not.toContain('d.txt');
  });
});

describe('a caller cannot use what another was given', () => {
  it('a cursor, which its owner can continue', async () => {
    const [one, other] = holders(await open());
    const { next_cursor: cursor } = (
      await one('find_references', { file_path: 'a.txt', line: 1, character: 10 })
    ).data;
    expectError(await other('find_references', { cursor }), 'cursor_expired', /without `cursor`/);
    expect((await one('find_references', { cursor })).isError).toBe(false);
  });

  it('except a cursor of a list that both have asked for, which only says what was asked', async () => {
    const [one, other] = holders(await open());
    const question = { file_path: 'a.txt', line: 1, character: 10 };
    const [mine, yours] = [await one('find_references', question), await other('find_references', question)];
    expect(mine.text).toBe(yours.text);
    const { next_cursor: cursor } = mine.data;
    expect((await other('find_references', { cursor })).isError).toBe(false);
  });

  it('an action', async () => {
    const [one, other] = holders(await open());
    const { data } = await one('get_code_actions', { file_path: 'a.txt' });
    const action_id = /"action_id":"(a-\w+)"/.exec(JSON.stringify(data))?.[1];
    expectError(await other('get_code_actions', { action_id }), 'stale');
    expect((await one('get_code_actions', { action_id })).data).toHaveProperty('plan');
  });

  it('a `since`, from a tool or from a resource', async () => {
    const bridge = await open();
    const [one, other] = holders(bridge);
    const told = await bridge.resources?.problemsOf('a.txt', { scope: 'one' });
    const { since } = told?.data ?? {};
    expectError(await other('get_diagnostics', { file_path: 'a.txt', since }), 'cursor_expired');
    expectError(await bridge.call('get_diagnostics', { file_path: 'a.txt', since }), 'cursor_expired');
    expect((await one('get_diagnostics', { file_path: 'a.txt', since })).data).toMatchObject({
      unchanged: 1,
    });
  });

  it('beyond as many scopes as there can be tokens, the least recently used is forgotten', async () => {
    const bridge = await open();
    const as =
      (number: number): Asks =>
      (tool, input) =>
        bridge.call(tool, input, { scope: `${number}` });
    const plans: string[] = [];
    for (let number = 0; number < limits.http.tokens; number += 1)
      plans.push(await planBy(as(number), change(number)));
    const [first = '', second = ''] = plans;
    const look = (number: number, plan_id: string) =>
      as(number)('apply_workspace_edit', { plan_id, dry_run: true, check: false });
    expect((await look(0, first)).isError).toBe(false);
    await planBy(as(limits.http.tokens), change('last'));
    expectError(await look(1, second), 'not_found');
    expect((await look(0, first)).isError).toBe(false);
  });
});

describe('RES-07: two callers that ask the same at once', () => {
  const never: FakeScript = { rules: [{ on: { method: hover(), nth: 1 }, do: [{ never: true }] }] };
  const place = { file_path: 'a.txt', line: 1, character: 10 };

  it('cause two questions to the server; if one cancels, the other is not affected', async () => {
    const bridge = await openTestBridge({ files, servers: { fake: { lives: [never] } } });
    const leaving = new AbortController();
    const first = bridge.call('get_hover', place, { scope: 'one', signal: leaving.signal });
    await bridge.sent(hover());
    const second = await bridge.call('get_hover', place, { scope: 'other' });
    expect(second.text).toContain('function alpha');
    leaving.abort();
    expectErrorCode(await first, 'cancelled');
    expect(bridge.received().filter(({ method }) => method === hover())).toHaveLength(2);
  });

  it('in a batch too', async () => {
    const bridge = await openTestBridge({ files, servers: { fake: { lives: [never] } } });
    const operations = [{ tool: 'get_hover', args: place }];
    const leaving = new AbortController();
    const asked = { scope: 'one', signal: leaving.signal };
    const first = bridge.call('batch_execute', { operations }, asked);
    await bridge.sent(hover());
    const { data } = await bridge.call('batch_execute', { operations }, { scope: 'other' });
    expect(data).toMatchObject({ done: 1 });
    leaving.abort();
    expect((await first).data).toMatchObject({ results: [{ error: { code: 'cancelled' } }] });
  });

  it('wait each for its own outline: a timeout of one does not affect the other', async () => {
    const outline = 'textDocument/documentSymbol';
    const lives: FakeScript[] = [{ rules: [{ on: { method: outline, nth: 1 }, do: [{ never: true }] }] }];
    const bridge = await openTestBridge({ files, servers: { fake: { lives } } });
    const leaving = new AbortController();
    const target = { symbol_name: 'alpha', file_path: 'a.txt' };
    const first = bridge.call('find_definition', target, { scope: 'one', signal: leaving.signal });
    await bridge.sent(outline);
    const { data } = await bridge.call('find_definition', target, { scope: 'other' });
    expect(data).toMatchObject({ complete: true, total: 1 });
    leaving.abort();
    expectErrorCode(await first, 'cancelled');
  });
});

it('RES-06: a caller that floods a server has a limit of questions there, and another is answered meanwhile', async () => {
  const most = limits.questionsOfScope;
  const rules = Array.from({ length: most }, (_, index) => ({
    on: { method: hover(), nth: index + 1 },
    do: [{ never: true as const }],
  }));
  const bridge = await openTestBridge({ files, servers: { fake: { lives: [{ rules }] } } });
  const leaving = Array.from({ length: most * 2 }, () => new AbortController());
  const flood = leaving.map(({ signal }, index) => {
    const place = { file_path: 'b.txt', line: index + 1, character: 1 };
    return bridge.call('get_hover', place, { scope: 'one', signal });
  });
  await bridge.sent(hover(), most);
  const [, other] = holders(bridge);
  const { text } = await other('get_hover', { file_path: 'a.txt', line: 1, character: 10 });
  expect(text).toContain('function alpha');
  expect(bridge.received().filter(({ method }) => method === hover())).toHaveLength(most + 1);
  for (const one of leaving) one.abort();
  for (const one of await Promise.all(flood)) expectErrorCode(one, 'cancelled');
});

it('RES-08: a cached answer is shared by all who may see the workspace', async () => {
  const ready = { kind: 'immediate' } as const;
  const bridge = await openTestBridge({ files, servers: { fake: { ready } } });
  const [one, other] = holders(bridge);
  const place = { file_path: 'a.txt', line: 1, character: 10 };
  const [mine, yours] = [await one('get_hover', place), await other('get_hover', place)];
  expect(yours.text).toBe(mine.text);
  expect(bridge.received().filter(({ method }) => method === hover())).toHaveLength(1);
});

function hover(): string {
  return 'textDocument/hover';
}

function expectErrorCode({ data }: Awaited<ReturnType<Asks>>, code: string): void {
  expect(data).toMatchObject({ error: { code } });
}
