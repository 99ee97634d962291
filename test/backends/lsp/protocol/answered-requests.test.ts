import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerServerRequest } from '../../../../src/backends/lsp/protocol/server-requests.ts';
import type { FakeLog } from '../../../fake-server/script.ts';
import { startFake } from '../../../fake-server/start-fake.ts';

interface Row {
  readonly method: string;
  readonly params?: unknown;
  readonly expected: unknown;
}

const unknown = { error: { code: -32601, message: expect.any(String) } };

const rows: readonly Row[] = [
  {
    method: 'workspace/configuration',
    params: { items: [{ section: 'known' }, { section: 'unset' }, {}] },
    expected: { result: [1, {}, { known: 1 }] },
  },
  {
    method: 'client/registerCapability',
    params: { registrations: [{ id: 'r', method: 'textDocument/rename' }] },
    expected: { result: null },
  },
  {
    method: 'client/unregisterCapability',
    params: { unregisterations: [{ id: 'r', method: 'textDocument/rename' }] },
    expected: { result: null },
  },
  { method: 'window/workDoneProgress/create', params: { token: 't' }, expected: { result: null } },
  {
    method: 'workspace/applyEdit',
    params: { edit: { changes: {} } },
    expected: { result: { applied: false, failureReason: expect.any(String) } },
  },
  { method: 'window/showMessageRequest', params: { type: 1, message: 'm' }, expected: { result: null } },
  {
    method: 'window/showDocument',
    params: { uri: 'https://example.org', external: true },
    expected: { result: { success: false } },
  },
  { method: 'workspace/workspaceFolders', expected: { result: [{ uri: 'file:///w', name: 'w' }] } },
  { method: 'workspace/semanticTokens/refresh', expected: { result: null } },
  { method: 'workspace/diagnostic/refresh', expected: { result: null } },
  { method: '$/unknown', params: {}, expected: unknown },
  { method: 'tsserver/request', params: [1], expected: unknown },
];

const moments = [
  ['before initialized', 'initialize'],
  ['during a call', 'textDocument/hover'],
  ['during shutdown', 'shutdown'],
] as const;

describe.each(moments)('PRO-13 a request that a server sends %s', (_moment, method) => {
  let log: FakeLog;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const ask = rows.map((row) => ({ request: { method: row.method, params: row.params } }));
    const fake = startFake({ rules: [{ on: { method }, do: [...ask, { reply: 'auto' }] }] }, { answer });
    stop = fake.stop;
    await fake.initialize();
    fake.connection.notify('initialized', {});
    await fake.request('textDocument/hover', {
      textDocument: { uri: 'file:///a' },
      position: { line: 0, character: 0 },
    });
    await fake.request('shutdown');
    log = await fake.log();
  });
  afterAll(() => stop());

  it.each(rows)('is answered in the right shape: $method', ({ method: asked, params, expected }) => {
    const answers = log.answers.filter((entry) => entry.method === asked);
    expect(answers, JSON.stringify(params)).toEqual([
      { method: asked, id: expect.any(Number), ...Object(expected) },
    ]);
  });
});

it('PRO-14 10,000 requests of a server at once are all answered, and ours among them', async () => {
  const flood = { request: { method: 'workspace/configuration', params: { items: [{}] }, times: 10_000 } };
  const fake = startFake(
    { rules: [{ on: { method: 'initialize' }, do: [flood, { reply: 'auto' }] }] },
    { answer },
  );
  await fake.initialize();
  const { answers, complaints } = await fake.log();
  expect(answers).toHaveLength(10_000);
  expect(complaints).toEqual([]);
  expect(fake.connection.counters).toEqual({
    stray: 0,
    large: 1,
    lateReplies: 0,
    unknownReplies: 0,
    invalid: 0,
    unsent: 0,
  });
  await fake.stop();
});

function answer(method: string, params: unknown): unknown {
  const context = {
    settings: { known: 1 },
    folders: () => [{ uri: 'file:///w', name: 'w' }],
    register: () => {},
    unregister: () => {},
    refreshed: () => {},
    applyEdit: () => ({ applied: false, failureReason: 'Nobody asked.' }),
  };
  return answerServerRequest(context, method, params);
}
