import { expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import type { Action } from '../fake-server/script.ts';
import { expectError, openTestBridge, type TestBridge } from '../test-bridge.ts';

type Large = Extract<Action, { replyLarge: unknown }>['replyLarge'];

const files = Object.fromEntries(
  Array.from({ length: 10 }, (_, index) => [`f${index}.txt`, 'alpha is used\n'.repeat(2_001)]),
);
const place = { file_path: 'f0.txt', line: 1, character: 1 };

/** A bridge over ten files whose server answers one method hugely, but for the uris, which are those of the files. */
function openLarge(method: string, large: Omit<Large, 'uris'>): Promise<TestBridge> {
  const uris = Object.keys(files).map((name) => `file://<root>/${name}`);
  const rules = [{ on: { method }, do: [{ replyLarge: { ...large, uris } }] }];
  return openTestBridge({ files, servers: { fake: { lives: [{ rules }] } }, deadline: 120_000 });
}

/** How often the event loop turned while a call was answered. */
async function turnsDuring<T>(work: Promise<T>): Promise<{ readonly result: T; readonly turns: number }> {
  let [turns, isOver] = [0, false];
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  turn();
  const result = await work.finally(() => {
    isOver = true;
  });
  return { result, turns };
}

it('RES-01 of more references than lspan lists the true total is told, and other work goes on meanwhile', async () => {
  const bridge = await openLarge('textDocument/references', { kind: 'references', count: 20_010 });
  await bridge.call('get_hover', place);
  const { result, turns } = await turnsDuring(bridge.call('find_references', place));
  expect(result.data).toMatchObject({ total: 20_010, complete: false });
  expect(JSON.stringify(result.data.doubts)).toContain('There are 20010; lspan lists 20000.');
  expect(turns).toBeGreaterThan(10);
});

it('RES-01 large answers and small ones come in the order in which they were sent', async () => {
  const bridge = await openLarge('textDocument/references', { kind: 'references', count: 20_010 });
  const asked = [
    bridge.call('find_references', place),
    bridge.call('get_document_symbols', { file_path: 'f1.txt' }),
    bridge.call('find_references', place),
  ];
  const [first, outline, last] = await Promise.all(asked);
  expect([first?.data.total, outline?.isError, last?.data.total]).toEqual([20_010, false, 20_010]);
});

it('RES-03 a hover of 10 MB is cut to the budget', async () => {
  const bridge = await openLarge('textDocument/hover', { kind: 'hover', count: 10_000_000 });
  const { text, isError } = await bridge.call('get_hover', place);
  expect(isError).toBe(false);
  expect(text.length).toBeLessThan(limits.tokens.most * limits.tokens.bytesPerToken);
  expect(text).toContain('cut here');
});

it('RES-03 of 20,000 problems of a file all are counted and a page is told', async () => {
  const bridge = await openLarge('textDocument/diagnostic', { kind: 'problems', count: 20_000 });
  const { data } = await bridge.call('get_diagnostics', { file_path: 'f0.txt', max_tokens: 20_000 });
  expect(data).toMatchObject({ total: 20_000, counts: { error: 5_000, hint: 5_000 } });
});

it('RES-03 an outline that nests too deeply is an error that names the server, and the next call is answered', async () => {
  const rules = [{ on: { method: 'textDocument/documentSymbol' }, do: [{ depth: 10_000 }] }];
  const bridge = await openTestBridge({ files, servers: { fake: { lives: [{ rules }] } } });
  const outcome = await bridge.call('get_document_symbols', { file_path: 'f0.txt' });
  expectError(outcome, 'server_crashed', /fake/, /deeper than 256 levels/);
  expect((await bridge.call('get_diagnostics', { file_path: 'f0.txt' })).isError).toBe(false);
});

it('RES-10 a search that matches everything is counted, and told by the page', async () => {
  const bridge = await openLarge('workspace/symbol', { kind: 'symbols', count: 30_000 });
  expectError(await bridge.call('search_workspace_symbols', { query: '' }), 'invalid_input');
  const { data, text } = await bridge.call('search_workspace_symbols', { query: 'a' });
  expect(data).toMatchObject({ total: 30_000 });
  expect(text.length).toBeLessThan(limits.tokens.default * limits.tokens.bytesPerToken * 1.1);
});

it('RES-10 symbols beyond the bound of a message are an error that names the server', async () => {
  const bridge = await openLarge('workspace/symbol', { kind: 'symbols', count: 500_000 });
  const outcome = await bridge.call('search_workspace_symbols', { query: 'a' });
  expectError(outcome, 'server_crashed', /fake/, new RegExp(`${limits.frame.body}`));
});
