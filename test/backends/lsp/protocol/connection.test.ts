import { describe, expect, it, vi } from 'vitest';
import { LspanError } from '../../../../src/core/errors.ts';
import { limits } from '../../../../src/core/limits.ts';
import { ResponseError } from '../../../../src/jsonrpc/message.ts';
import { connectInMemory } from './memory-wire.ts';

const signal = () => new AbortController().signal;
/** When answers to requests of the server have been written. */
const answered = () => new Promise((resolve) => setImmediate(resolve));
const reply = (id: unknown, more: Record<string, unknown>) => ({ jsonrpc: '2.0', id, ...more });

describe('a request', () => {
  it('is one write of one frame, and resolves with the result of its reply', async () => {
    const { connection, writes, sent, deliver } = connectInMemory();
    const asked = connection.request('a/b', { text: 'wörld 😀' }, signal());
    expect(writes).toHaveLength(1);
    expect(sent()).toEqual([{ jsonrpc: '2.0', id: 1, method: 'a/b', params: { text: 'wörld 😀' } }]);
    expect(connection.pendingCount).toBe(1);
    deliver(reply(1, { result: { answer: 42 } }));
    expect(await asked).toEqual({ answer: 42 });
    expect(connection.pendingCount).toBe(0);
  });

  it('without parameters has no such key, which shutdown needs', () => {
    const { connection, writes } = connectInMemory();
    void connection.request('shutdown', undefined, signal());
    connection.notify('exit');
    expect(writes.map(String)).toEqual([
      'Content-Length: 44\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"shutdown"}',
      'Content-Length: 33\r\n\r\n{"jsonrpc":"2.0","method":"exit"}',
    ]);
  });

  it('has an id that no other had, and replies find it in any order', async () => {
    const { connection, sent, deliver } = connectInMemory();
    const asked = ['a', 'b', 'c'].map((method) => connection.request(method, undefined, signal()));
    expect(sent().map(({ id }) => id)).toEqual([1, 2, 3]);
    for (const id of [3, 1, 2]) deliver(reply(id, { result: id * 10 }));
    expect(await Promise.all(asked)).toEqual([10, 20, 30]);
    void connection.request('d', undefined, signal());
    expect(sent().at(-1)?.id).toBe(4);
  });

  it('may be one of a hundred with one signal, without a warning of a leak', async () => {
    const warned = vi.fn();
    process.on('warning', warned);
    const { connection, deliver } = connectInMemory();
    const caller = signal();
    const asked = Array.from({ length: 100 }, () => connection.request('a', undefined, caller));
    for (let id = 1; id <= 100; id++) deliver(reply(id, { result: id }));
    await Promise.all(asked);
    await answered();
    process.off('warning', warned);
    expect(warned).not.toHaveBeenCalled();
  });

  it('rejects with the code, the message and the data of an error reply', async () => {
    const { connection, deliver } = connectInMemory();
    const asked = connection.request('a', undefined, signal());
    deliver(reply(1, { error: { code: -32801, message: 'modified', data: { retry: true } } }));
    const error = await asked.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ResponseError);
    expect(error).toMatchObject({ code: -32801, message: 'modified', data: { retry: true } });
  });

  it('rejects when the wire does not take it, and leaves no slot behind', async () => {
    const full = new LspanError('busy', 'The queue is full.');
    const { connection } = connectInMemory({}, () => full);
    const { signal: caller } = new AbortController();
    const removed = vi.spyOn(caller, 'removeEventListener');
    await expect(connection.request('a', undefined, caller)).rejects.toBe(full);
    expect(connection.pendingCount).toBe(0);
    expect(removed).toHaveBeenCalledOnce();
    expect(() => connection.notify('b')).toThrow(full);
  });
});

describe('PRO-11 a reply', () => {
  const odd: readonly [string, unknown, Record<string, unknown>][] = [
    ['with our id as a string', '1', { result: 1 }],
    ['with a null id', null, { error: { code: -32700, message: 'parse' } }],
    ['with a fraction as id', 1.5, { result: 1 }],
    ['with an object as id', { id: 1 }, { result: 1 }],
    ['with an id that was never given', 99, { result: 1 }],
    ['with an id beyond all numbers', 2 ** 60, { result: 1 }],
  ];
  it.each(odd)('%s is dropped and counted, and the right one still counts', async (_name, id, more) => {
    const { connection, deliver } = connectInMemory();
    const asked = connection.request('a', undefined, signal());
    deliver(reply(id, more));
    expect(connection.counters.unknownReplies).toBe(1);
    deliver(reply(1, { result: 'right' }));
    expect(await asked).toBe('right');
  });

  it('that is repeated is dropped and counted', async () => {
    const { connection, deliver } = connectInMemory();
    const asked = connection.request('a', undefined, signal());
    deliver(reply(1, { result: 'first' }));
    deliver(reply(1, { result: 'second' }));
    expect(await asked).toBe('first');
    expect(connection.counters).toMatchObject({ unknownReplies: 1, lateReplies: 0 });
  });

  const shapes: readonly [string, Record<string, unknown>, unknown][] = [
    ['a result and an error', { result: [], error: { code: 1, message: 'no' } }, { code: 1, message: 'no' }],
    ['an error that is a string', { error: 'no' }, { code: -32001, message: 'no' }],
    ['an error without fields', { error: {} }, { code: -32001 }],
    ['an error of wrong types', { error: { code: '5', message: 7 } }, { code: -32001 }],
  ];
  it.each(shapes)('with %s rejects', async (_name, more, expected) => {
    const { connection, deliver } = connectInMemory();
    const asked = connection.request('a', undefined, signal());
    deliver(reply(1, more));
    await expect(asked).rejects.toMatchObject(Object(expected));
  });

  const results: readonly [string, Record<string, unknown>, unknown][] = [
    ['neither a result nor an error', {}, null],
    ['a result and the error null', { result: [1], error: null }, [1]],
    ['the result null', { result: null }, null],
    ['the result false', { result: false }, false],
  ];
  it.each(results)('with %s resolves', async (_name, more, expected) => {
    const { connection, deliver } = connectInMemory();
    const asked = connection.request('a', undefined, signal());
    deliver(reply(1, more));
    expect(await asked).toEqual(expected);
  });

  it.each([
    [[]],
    [null],
    ['text'],
    [3],
    [{}],
    [{ method: 5 }],
    [{ method: 'a', id: null }],
    [{ method: 'a', id: {} }],
  ])('or message that is %j is counted as invalid', (message) => {
    const { connection, deliver, sent } = connectInMemory();
    deliver(message);
    expect(connection.counters).toMatchObject({ invalid: 1, unknownReplies: 0 });
    expect(sent()).toEqual([]);
  });
});

describe('PRO-12 a request of the server', () => {
  it('with the id of our pending request is answered, and ours still gets its reply', async () => {
    const { connection, sent, deliver } = connectInMemory({ answer: (method, params) => [method, params] });
    const asked = connection.request('ours', undefined, signal());
    deliver({ jsonrpc: '2.0', id: 1, method: 'theirs', params: { a: 1 } });
    await answered();
    expect(sent()).toHaveLength(2);
    expect(sent()[1]).toEqual({ jsonrpc: '2.0', id: 1, result: ['theirs', { a: 1 }] });
    expect(connection.pendingCount).toBe(1);
    deliver(reply(1, { result: 'ours' }));
    expect(await asked).toBe('ours');
  });

  it('keeps the type of its id, gets null for nothing, and is answered while another answer is awaited', async () => {
    const { sent, deliver } = connectInMemory({
      answer: (method) => (method === 'slow' ? new Promise(() => {}) : undefined),
    });
    deliver({ jsonrpc: '2.0', id: 7, method: 'slow' });
    deliver({ jsonrpc: '2.0', id: '7', method: 'quick' });
    await answered();
    expect(sent()).toEqual([{ jsonrpc: '2.0', id: '7', result: null }]);
  });

  it('gets the code of a thrown ResponseError, and -32603 for anything else', async () => {
    const { sent, deliver } = connectInMemory({
      answer: async (method) => {
        throw method === 'a' ? new ResponseError(-32601, 'unknown', { why: 1 }) : new TypeError('secret');
      },
    });
    deliver({ jsonrpc: '2.0', id: 1, method: 'a' });
    deliver({ jsonrpc: '2.0', id: 2, method: 'b' });
    await answered();
    expect(sent()).toHaveLength(2);
    expect(sent().map(({ error }) => error)).toEqual([
      { code: -32601, message: 'unknown', data: { why: 1 } },
      { code: -32603, message: 'The client could not answer.' },
    ]);
  });

  it('that the full wire does not take is counted, and reading goes on', async () => {
    let refusal: Error | undefined;
    const { connection, deliver } = connectInMemory({}, () => refusal);
    const asked = connection.request('ours', undefined, signal());
    refusal = new LspanError('busy', 'The queue is full.');
    deliver({ jsonrpc: '2.0', id: 1, method: 'theirs' });
    await answered();
    expect(connection.counters.unsent).toBe(1);
    deliver(reply(1, { result: 'ours' }));
    expect(await asked).toBe('ours');
  });
});

describe('PRC-07 cancellation', () => {
  it('sends $/cancelRequest, rejects at once with the reason, and counts the late reply', async () => {
    const { connection, sent, deliver } = connectInMemory();
    const caller = new AbortController();
    const asked = connection.request('a', undefined, caller.signal);
    const reason = new LspanError('timed_out', 'Too late.');
    caller.abort(reason);
    await expect(asked).rejects.toBe(reason);
    expect(connection.pendingCount).toBe(0);
    expect(sent()[1]).toEqual({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id: 1 } });
    deliver(reply(1, { result: 'late' }));
    expect(connection.counters).toMatchObject({ lateReplies: 1, unknownReplies: 0 });
    deliver(reply(1, { result: 'later' }));
    expect(connection.counters).toMatchObject({ lateReplies: 1, unknownReplies: 1 });
  });

  it('before the request sends nothing', async () => {
    const { connection, writes } = connectInMemory();
    const asked = connection.request('a', undefined, AbortSignal.abort('gone'));
    await expect(asked).rejects.toBe('gone');
    expect(writes).toEqual([]);
  });

  it('after the reply does nothing', async () => {
    const { connection, writes, deliver } = connectInMemory();
    const caller = new AbortController();
    const asked = connection.request('a', undefined, caller.signal);
    deliver(reply(1, { result: 1 }));
    caller.abort();
    expect(await asked).toBe(1);
    expect(writes).toHaveLength(1);
  });

  it('rejects all the same when the wire is full', async () => {
    let refusal: Error | undefined;
    const { connection } = connectInMemory({}, () => refusal);
    const caller = new AbortController();
    const asked = connection.request('a', undefined, caller.signal);
    refusal = new LspanError('busy', 'The queue is full.');
    caller.abort('gone');
    await expect(asked).rejects.toBe('gone');
    expect(connection.counters.unsent).toBe(1);
  });

  it('remembers a bounded number of cancelled requests, the latest', async () => {
    const { connection, deliver } = connectInMemory();
    for (let id = 1; id <= limits.cancelledRequests + 1; id++) {
      const caller = new AbortController();
      const asked = connection.request('a', undefined, caller.signal);
      caller.abort('gone');
      await expect(asked).rejects.toBe('gone');
    }
    deliver(reply(1, { result: 1 }));
    expect(connection.counters).toMatchObject({ lateReplies: 0, unknownReplies: 1 });
    deliver(reply(2, { result: 1 }));
    deliver(reply(limits.cancelledRequests + 1, { result: 1 }));
    expect(connection.counters).toMatchObject({ lateReplies: 2, unknownReplies: 1 });
  });
});

describe('closing', () => {
  it('rejects what is pending and every later request with the first reason, and reads no more', async () => {
    const hear = vi.fn();
    const { connection, writes, deliver } = connectInMemory({ hear });
    const reason = new LspanError('server_crashed', 'It died.');
    const asked = [
      connection.request('a', undefined, signal()),
      connection.request('b', undefined, signal()),
    ];
    connection.close(reason);
    connection.close(new LspanError('internal', 'Another.'));
    for (const request of asked) await expect(request).rejects.toBe(reason);
    await expect(connection.request('c', undefined, signal())).rejects.toBe(reason);
    connection.notify('d');
    deliver({ jsonrpc: '2.0', method: 'e' });
    expect(hear).not.toHaveBeenCalled();
    expect(writes).toHaveLength(2);
    expect(connection.pendingCount).toBe(0);
  });

  it('in the middle of a chunk leaves the rest of it unread', () => {
    const hear = vi.fn(() => connection.close(new LspanError('server_crashed', 'Enough.')));
    const { connection, deliverBytes } = connectInMemory({ hear });
    deliverBytes(Buffer.from('Content-Length: 14\r\n\r\n{"method":"a"}'.repeat(3)));
    expect(hear).toHaveBeenCalledOnce();
  });

  it('comes by itself with a fault of the stream: pending requests reject, and the owner is told once', async () => {
    const fault = vi.fn();
    const { connection, deliverBytes } = connectInMemory({ fault });
    const asked = connection.request('a', undefined, signal());
    deliverBytes(Buffer.from('Content-Length: -1\r\n\r\n'));
    await expect(asked).rejects.toMatchObject({ code: 'server_crashed' });
    expect(fault).toHaveBeenCalledOnce();
    connection.close(new LspanError('internal', 'Another.'));
    await expect(connection.request('b', undefined, signal())).rejects.toMatchObject({
      code: 'server_crashed',
    });
  });

  it('comes by itself when what hears a notification throws', async () => {
    const fault = vi.fn();
    const { connection, deliver } = connectInMemory({
      fault,
      hear: () => {
        throw new TypeError('unforeseen');
      },
    });
    const asked = connection.request('a', undefined, signal());
    deliver({ jsonrpc: '2.0', method: 'b' });
    await expect(asked).rejects.toMatchObject({ code: 'internal' });
    expect(fault).toHaveBeenCalledOnce();
  });
});

describe('what a connection tells', () => {
  it('traces every message in both directions', async () => {
    const trace = vi.fn();
    const { connection, deliver } = connectInMemory({ trace });
    const asked = connection.request('a', [1], signal());
    deliver(reply(1, { result: 2 }));
    await asked;
    expect(trace.mock.calls).toEqual([
      ['to_server', { jsonrpc: '2.0', id: 1, method: 'a', params: [1] }],
      ['from_server', { jsonrpc: '2.0', id: 1, result: 2 }],
    ]);
  });

  it('counts stray lines', () => {
    const { connection, deliverBytes } = connectInMemory();
    deliverBytes(Buffer.from('a log\nanother\n'));
    expect(connection.counters.stray).toBe(2);
  });

  it('PRO-10 hands the keys __proto__ and constructor on as plain data', () => {
    const heard: unknown[] = [];
    const { deliverBytes } = connectInMemory({ hear: (_method, params) => heard.push(params) });
    const body =
      '{"method":"a","__proto__":{"id":1},"params":{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}}';
    deliverBytes(Buffer.from(`Content-Length: ${body.length}\r\n\r\n${body}`));
    expect(heard).toHaveLength(1);
    expect(Object.hasOwn({}, 'x') || 'x' in {}).toBe(false);
  });
});
