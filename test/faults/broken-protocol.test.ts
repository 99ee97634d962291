import { describe, expect, it } from 'vitest';
import type { Action, FakeScript } from '../fake-server/script.ts';
import { ask, expectError, expectInOrder, openTestBridge, question } from '../test-bridge.ts';

const whenAsked = (...actions: Action[]): FakeScript => ({
  rules: [{ on: { method: 'textDocument/definition' }, do: actions }],
});
const open = (...lives: FakeScript[]) => openTestBridge({ servers: { fake: { lives } } });
const lines = (count: number) => Array.from({ length: count }, (_, line) => `INFO line ${line}`);

/** A message, word for word. */
function raw(body: string): Action {
  return { rawBytes: { text: `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}` } };
}

function millionKeys(): string {
  return Array.from({ length: 1_000_000 }, (_, index) => `"k${index}":1`).join(',');
}

describe('a server that breaks the protocol is replaced', () => {
  const faults: readonly [string, readonly Action[]][] = [
    ['PRO-01 100 MB without an end of header', [{ headerWithoutEnd: { megabytes: 100 } }]],
    ['PRO-02 a length in hexadecimal', [{ header: 'Content-Length: 0x1e\r\n\r\n' }]],
    ['PRO-02 two different lengths', [{ header: 'Content-Length: {length}\r\nContent-Length: 1\r\n\r\n' }]],
    ['PRO-03 a message of 65 MiB', [{ rawBytes: { text: `Content-Length: ${65 << 20}\r\n\r\n` } }]],
    ['PRO-04 a length too short by one', [{ badLength: { delta: -1 } }]],
    [
      'PRO-04 a length too long by one',
      [{ badLength: { delta: 1 } }, { reply: 'auto' }, { notify: { method: '$/a' } }],
    ],
    ['PRO-05 101 lines of a log', [{ garbage: lines(101) }]],
    ['PRO-07 invalid UTF-8', [{ invalidUtf8: true }]],
    [
      'PRO-08 another charset',
      [{ header: 'Content-Length: {length}\r\nContent-Type: a; charset=utf-16\r\n\r\n' }],
    ],
    ['PRO-09 257 levels', [{ depth: 257 }]],
    ['PRO-09 100,000 levels', [{ depth: 100_000 }]],
  ];
  it.each(faults)('%s: the question is asked again of a new one', async (_what, actions) => {
    const bridge = await open(whenAsked(...actions), {});
    const { data, isError } = await ask(bridge);
    expect(isError).toBe(false);
    expect(data).toMatchObject({
      doubts: [{ kind: 'server_restarted', server: 'fake' }],
      ...question.answer,
    });
    await expectInOrder(bridge);
    expect(bridge.pids()).toHaveLength(2);
  });

  it.each(faults)(
    '%s, each time: one clear error, and the call after it is answered',
    async (_what, actions) => {
      const bridge = await open(whenAsked(...actions), whenAsked(...actions), {});
      expectError(await ask(bridge), 'server_crashed', /fake broke the protocol: \w+/);
      await expectInOrder(bridge);
      expect(bridge.pids()).toHaveLength(3);
    },
  );
});

describe('a server that is only odd is kept', () => {
  const oddities: readonly [string, readonly Action[]][] = [
    ['PRO-05 100 lines of a log', [{ garbage: lines(100) }]],
    ['PRO-06 one byte a write', [{ splitEveryByte: true }]],
    ['PRO-02 a header in lower case with bare line feeds', [{ header: 'content-length:{length}\n\n' }]],
    ['PRO-08 a byte order mark', [{ bom: true }]],
    ['PRO-09 a number beyond all numbers', [raw('{"method":"$/x","params":[1e400,-1e400]}')]],
    ['PRO-09 keys that come twice', [raw('{"method":"$/x","method":"$/y","params":{"a":1,"a":2}}')]],
    ['PRO-09 a reply under an id beyond whole numbers', [raw('{"id":9007199254740993,"result":[]}')]],
    ['PRO-09 a request under an id beyond whole numbers', [raw('{"id":9007199254740993,"method":"$/x"}')]],
    ['PRO-11 a reply under our id as a text before', [{ replyStringId: true }, { reply: 'auto' }]],
    ['PRO-11 a reply without an id before', [{ replyNullId: true }, { reply: 'auto' }]],
    [
      'PRO-11 a reply under a fraction and an object',
      [raw('{"id":1.5,"result":[]}'), raw('{"id":{},"result":[]}')],
    ],
    ['PRO-11 two replies', [{ replyTwice: true }]],
    ['PRO-11 a reply with an unknown id before', [{ replyWrongId: true }, { reply: 'auto' }]],
    ['PRO-12 a request under the id of ours', [{ sameIdRequest: { method: 'workspace/workspaceFolders' } }]],
  ];
  it.each(oddities)('%s', async (_what, actions) => {
    const bridge = await open(whenAsked(...actions));
    await expectInOrder(bridge);
    await expectInOrder(bridge);
    expect(bridge.pids()).toHaveLength(1);
  });
});

describe('PRO-09 a message that is large but whole does no harm', () => {
  const large: readonly [string, () => string][] = [
    ['a million keys', () => `{"method":"$/x","params":{${millionKeys()}}}`],
    ['a text of 60 MB', () => `{"method":"$/x","params":"${'x'.repeat(60_000_000)}"}`],
  ];
  it.each(large)('%s', { timeout: 120_000 }, async (_what, body) => {
    const once: FakeScript = {
      rules: [{ on: { method: 'textDocument/definition', nth: 1 }, do: [raw(body())] }],
    };
    const bridge = await open(once);
    await expectInOrder(bridge);
    await expectInOrder(bridge);
    expect(bridge.pids()).toHaveLength(1);
  });
});

describe('PRO-11 a reply', () => {
  it.each<[string, Action, string]>([
    [
      'with a result and an error is the error',
      { resultAndError: { code: -32803, message: 'no' } },
      'server_unverified',
    ],
    ['with neither is no definition, which is not believed at once', { neither: true }, 'server_unverified'],
  ])('%s', async (_what, action, code) => {
    const bridge = await open(whenAsked(action));
    expectError(await ask(bridge), code, /fake/);
    expect(bridge.pids()).toHaveLength(1);
  });
});

describe('PRO-10 names of the prototype change nothing', () => {
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];
  const evil = `{${names.map((name) => `"${name}":{"polluted":true,"result":[],"method":"x"}`).join(',')}}`;

  it.each([
    ['in a message', `{"method":"$/x",${evil.slice(1)}`],
    [
      'in settings',
      `{"id":"a","method":"workspace/configuration","params":{"items":[${names
        .map((section) => `{"section":"${section}"},{"section":"${section}.polluted"}`)
        .join(',')}]}}`,
    ],
    ['in changes', `{"id":"b","method":"workspace/applyEdit","params":{"edit":{"changes":${evil}}}}`],
    [
      'in registrations',
      `{"id":"c","method":"client/registerCapability","params":{"registrations":[${names
        .map((name) => `{"id":"${name}","method":"${name}","registerOptions":${evil}}`)
        .join(',')}]}}`,
    ],
    ['as ids', names.map((name) => `{"id":"${name}","method":"workspace/workspaceFolders"}`).join('\n')],
    ['as ids of replies', names.map((name) => `{"id":"${name}","result":${evil}}`).join('\n')],
    ['as methods', names.map((name) => `{"id":"${name}","method":"${name}","params":${evil}}`).join('\n')],
    [
      'as tokens',
      names
        .map((token) => `{"method":"$/progress","params":{"token":"${token}","value":${evil}}}`)
        .join('\n'),
    ],
    [
      'as URIs',
      names
        .map(
          (uri) => `{"method":"textDocument/publishDiagnostics","params":{"uri":"${uri}","diagnostics":[]}}`,
        )
        .join('\n'),
    ],
  ])('%s', async (_what, bodies) => {
    const bridge = await open(whenAsked(...bodies.split('\n').map(raw)));
    await expectInOrder(bridge);
    await expectInOrder(bridge);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
    const settings = bridge.received().filter(({ id }) => String(id) === 'a');
    for (const { result } of settings) expect(result).toEqual(names.flatMap(() => [{}, {}]));
    expect(bridge.pids()).toHaveLength(1);
  });
});
