import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { redactedTrace } from '../../../src/frontends/observe/redacted-trace.ts';
import { canaryScan } from '../../canary-scan.ts';
import { openTestBridge, question } from '../../test-bridge.ts';

function tracing(roots: readonly string[] = ['/code/a']) {
  const entries: object[] = [];
  const trace = redactedTrace((entry) => void entries.push(entry), roots, ['get_hover']);
  const told = (message: unknown) => {
    trace.message({ server: 'fake', direction: 'to_server', message });
    return JSON.parse(JSON.stringify(entries.at(-1)));
  };
  const called = (call: Parameters<typeof trace.call>[0]) => {
    trace.call(call);
    return JSON.parse(JSON.stringify(entries.at(-1)));
  };
  return { entries, trace, told, called };
}

const position = { line: 1, character: 2 };

it('traces file, position and size of a request, and no text', () => {
  const { told } = tracing();
  const message = {
    jsonrpc: '2.0',
    id: 7,
    method: 'textDocument/rename',
    params: {
      textDocument: { uri: 'file:///code/a/src/b.ts', version: 3 },
      position,
      newName: 'thePassword',
    },
  };
  expect(told(message)).toEqual({
    server: 'fake',
    direction: 'to_server',
    bytes: JSON.stringify(message).length,
    id: 7,
    method: 'textDocument/rename',
    file: 'src/b.ts',
    version: 3,
    position,
  });
});

it('names no file outside the roots', () => {
  const { told } = tracing();
  for (const uri of [
    'file:///etc/passwd',
    'file:///code/ab/c.ts',
    'file:///code/a/../b',
    'untitled:secret',
    '/etc',
  ])
    expect(told({ method: 'x', params: { textDocument: { uri } } })).toMatchObject({ file: '(outside)' });
});

it('counts the results of an answer, and keeps the code of an error', () => {
  const { told } = tracing();
  expect(told({ id: 1, result: [{ uri: 'file:///etc/passwd' }, {}] })).toMatchObject({ result: 2 });
  expect(told({ id: 1, result: { items: [1, 2, 3] } })).toMatchObject({ result: 3 });
  expect(told({ id: 1, result: { contents: 'secret' } })).toMatchObject({ result: 1 });
  expect(told({ id: 1, result: null })).toMatchObject({ result: null });
  expect(told({ id: 'my id', error: { code: -32801, message: 'secret' } })).toMatchObject({
    id: '(text)',
    error: -32801,
  });
  expect(told({ method: 'm', params: { contentChanges: [{ text: 'secret' }] } })).toMatchObject({
    contentChanges: 1,
  });
});

it('INF-01 shows no text from anywhere in a message', () => {
  for (const secret of [randomBytes(32).toString('base64url'), randomUUID()]) {
    const { told, called, entries } = tracing();
    const everything = {
      [secret]: secret,
      uri: secret,
      id: secret,
      method: secret,
      code: secret,
      position: { line: secret, character: secret },
      items: [secret],
      textDocument: { uri: `file:///${secret}`, version: secret, text: secret },
    };
    for (const each of [
      secret,
      [secret],
      null,
      { ...everything, params: everything, result: everything, error: everything },
      { ...everything, params: [everything], result: secret, error: secret },
      { method: `a/${secret}`, params: secret },
    ])
      told(each);
    called({ method: secret, tool: secret, status: 200, ms: 1 });
    expect(canaryScan(secret, { trace: JSON.stringify(entries) })).toEqual([]);
  }
});

it('shows a call by the names of the protocol and the tools only', () => {
  const { called } = tracing();
  const call = { method: 'tools/call', tool: 'get_hover', status: 200, ms: 2 };
  expect(called(call)).toEqual({ call });
  expect(called({ ...call, method: 'password/hunter2' })).toEqual({ call: { ...call, method: '(other)' } });
  expect(called({ ...call, tool: 'my\nown' })).toEqual({ call: { ...call, tool: '(other)' } });
});

it('contains no text of a file that a bridge sends to its server', async () => {
  const bridge = await openTestBridge({
    files: { 'a.txt': 'function alpha\n', 'b.txt': 'alpha\nthe secret words\n' },
  });
  await bridge.call(question.tool, question.input);
  const { trace, entries } = tracing([bridge.root]);
  bridge.traced.all.forEach(trace.message);
  const text = JSON.stringify(entries);
  expect(text).toMatch(/"method":"textDocument\/didOpen","file":"b.txt"/);
  expect(text).toMatch(/"method":"textDocument\/definition"/);
  expect(text).not.toMatch(/secret words|alpha/);
  expect(text).not.toContain(bridge.root);
});
