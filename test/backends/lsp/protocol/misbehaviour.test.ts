import { afterEach, describe, expect, it } from 'vitest';
import type { Action, FakeScript } from '../../../fake-server/script.ts';
import { type StartedFake, startFake } from '../../../fake-server/start-fake.ts';

const started: StartedFake[] = [];
afterEach(async () => {
  for (const fake of started.splice(0)) await fake.stop();
});

const hover = { textDocument: { uri: 'file:///a' }, position: { line: 0, character: 0 } };

async function initialized(script: FakeScript): Promise<StartedFake> {
  const fake = startFake(script);
  started.push(fake);
  await fake.initialize();
  fake.connection.notify('initialized', {});
  return fake;
}

/** A server that does something odd at each hover. */
const atHover = (...actions: Action[]) =>
  initialized({ rules: [{ on: { method: 'textDocument/hover' }, do: actions }] });

describe('a server whose stream cannot be trusted fails the call at once, and the next ones', () => {
  const faults: readonly [string, readonly Action[]][] = [
    ['PRO-01 100 MB without an end of header', [{ headerWithoutEnd: { megabytes: 100 } }]],
    ['PRO-02 a length in hexadecimal', [{ header: 'Content-Length: 0x1e\r\n\r\n' }]],
    ['PRO-02 two different lengths', [{ header: 'Content-Length: {length}\r\nContent-Length: 1\r\n\r\n' }]],
    ['PRO-03 a length of 65 MiB', [{ rawBytes: { text: `Content-Length: ${65 << 20}\r\n\r\n` } }]],
    ['PRO-04 a length too short by one', [{ badLength: { delta: -1 } }]],
    [
      'PRO-04 a length too long by one',
      [{ badLength: { delta: 1 } }, { reply: 'auto' }, { notify: { method: 'a' } }],
    ],
    ['PRO-05 101 lines of a log', [{ garbage: Array.from({ length: 101 }, (_, line) => `line ${line}`) }]],
    ['PRO-07 invalid UTF-8', [{ invalidUtf8: true }]],
    [
      'PRO-08 another charset',
      [{ header: 'Content-Length: {length}\r\nContent-Type: a; charset=utf-16\r\n\r\n' }],
    ],
    ['257 levels', [{ depth: 257 }]],
  ];
  it.each(faults)('%s', async (_name, actions) => {
    const fake = await atHover(...actions);
    await expect(fake.request('textDocument/hover', hover)).rejects.toMatchObject({ code: 'server_crashed' });
    expect(await fake.fault).toMatchObject({ code: 'server_crashed' });
    await expect(fake.request('fake/echo')).rejects.toMatchObject({ code: 'server_crashed' });
    expect(fake.connection.pendingCount).toBe(0);
  });
});

describe('a server that is only odd is understood', () => {
  const oddities: readonly [string, readonly Action[], unknown][] = [
    ['PRO-02 a header in lower case with bare line feeds', [{ header: 'content-length:{length}\n\n' }], null],
    ['PRO-05 lines of a log before the reply', [{ garbage: ['INFO', '', 'a: b'] }], null],
    [
      'PRO-06 one byte a write',
      [{ splitEveryByte: true }, { replyValue: { text: '😀é字' } }],
      { text: '😀é字' },
    ],
    ['PRO-06 random chunks', [{ splitRandom: true }, { replyValue: ['ä'.repeat(999)] }], ['ä'.repeat(999)]],
    ['PRO-08 a byte order mark', [{ bom: true }], null],
    ['PRO-11 neither result nor error', [{ neither: true }], null],
    ['a reply in the usual way after a while', [{ delayMs: 5 }], null],
    ['an empty result', [{ emptyResult: true }], null],
    ['256 levels', [{ depth: 256 }], JSON.parse(`${'['.repeat(255)}${']'.repeat(255)}`)],
  ];
  it.each(oddities)('%s', async (_name, actions, expected) => {
    const fake = await atHover(...actions);
    expect(await fake.request('textDocument/hover', hover)).toEqual(expected);
    expect(await fake.request('fake/echo', [1])).toEqual([1]);
  });

  it('PRO-05 lines of a log are counted before, between and after frames', async () => {
    const log: Action = { garbage: ['one', 'two'] };
    const fake = await initialized({
      rules: [
        { on: { start: true }, do: [log] },
        { on: { method: 'textDocument/hover' }, do: [log, { reply: 'auto' }, log] },
      ],
    });
    await fake.request('textDocument/hover', hover);
    await fake.log();
    expect(fake.connection.counters.stray).toBe(6);
  });
});

describe('PRO-11 replies that are not ours are dropped and counted', () => {
  const replies: readonly [string, Action][] = [
    ['a wrong id', { replyWrongId: true }],
    ['our id as a string', { replyStringId: true }],
    ['a null id', { replyNullId: true }],
  ];
  it.each(replies)('%s', async (_name, action) => {
    const fake = await atHover(action, { replyValue: 'right' });
    expect(await fake.request('textDocument/hover', hover)).toBe('right');
    expect(fake.connection.counters.unknownReplies).toBe(1);
  });

  it('a second reply', async () => {
    const fake = await atHover({ replyTwice: true });
    await fake.request('textDocument/hover', hover);
    await fake.log();
    expect(fake.connection.counters.unknownReplies).toBe(1);
  });

  it('an error wins over a result beside it', async () => {
    const error = { code: -32803, message: 'failed', data: [1] };
    const fake = await atHover({ resultAndError: error });
    await expect(fake.request('textDocument/hover', hover)).rejects.toMatchObject(error);
  });
});

it('PRO-12 a server request with the id of our pending request is answered, and ours gets its reply', async () => {
  const fake = await atHover(
    { sameIdRequest: { method: 'workspace/workspaceFolders' } },
    { replyValue: 'ours' },
  );
  expect(await fake.request('textDocument/hover', hover)).toBe('ours');
  const { received, answers } = await fake.log();
  const { id } = received.find(({ method }) => method === 'textDocument/hover') ?? {};
  expect(answers).toEqual([{ method: 'workspace/workspaceFolders', id, result: null }]);
});

it('PRC-07 a cancelled request tells the server, and its late reply is dropped and counted', async () => {
  const fake = await atHover({ waitFor: '$/cancelRequest' }, { reply: 'auto' });
  const caller = new AbortController();
  const asked = fake.connection.request('textDocument/hover', hover, caller.signal);
  caller.abort('enough');
  await expect(asked).rejects.toBe('enough');
  const { received } = await fake.log();
  // The late reply follows the cancellation, and is here before the reply to what is asked next.
  await fake.request('fake/echo');
  const { id } = received.find(({ method }) => method === 'textDocument/hover') ?? {};
  expect(received.at(-1)).toEqual({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id } });
  expect(fake.connection.counters).toMatchObject({ lateReplies: 1, unknownReplies: 0 });
});

it('a server that dies in the middle of a frame delivers none of it', async () => {
  const fake = await atHover({ partial: 0.5 }, { signalSelf: 'SIGKILL' });
  const asked = fake.connection.request('textDocument/hover', hover, AbortSignal.timeout(30_000));
  asked.catch(() => {});
  expect(await fake.exited).toEqual([null, 'SIGKILL']);
  expect(fake.connection.pendingCount).toBe(1);
});
