import { afterEach, describe, expect, it, vi } from 'vitest';
import { asLspanError } from '../../../src/core/errors.ts';
import { limits } from '../../../src/core/limits.ts';
import { fail } from '../../../src/tools/run/render-error.ts';
import { frameOf } from '../../jsonrpc/collect-frames.ts';
import { openChannel, stubBridge } from './open-channel.ts';

const ready = { version: '1.2.3', workspaceRoots: ['/a'] };
const status = { id: 'status', method: 'lsp/status' };

/** A bridge whose calls end only when they are cancelled, and which of them were. */
function endlessBridge() {
  const cancelled: string[] = [];
  const bridge = stubBridge({
    call: (tool, _args, { signal } = {}) =>
      new Promise((resolve) => {
        signal?.addEventListener('abort', () => {
          cancelled.push(tool);
          resolve(fail(asLspanError(signal.reason)));
        });
      }),
  });
  return { bridge, cancelled };
}

describe('lsp/ready', () => {
  it('is told when it is said, and before that nothing is lost', async () => {
    const { channel, input, answerTo, told } = openChannel();
    input.write(frameOf(JSON.stringify({ jsonrpc: '2.0', ...status })));
    channel.ready(ready);
    await answerTo('status');
    expect(told.all).toEqual([
      { jsonrpc: '2.0', method: 'lsp/ready', params: ready },
      { jsonrpc: '2.0', id: 'status', result: [] },
    ]);
  });
});

describe('lsp/shutdown', () => {
  it('is answered, and then the channel has ended', async () => {
    const { channel, ask, told, send } = openChannel();
    const answer = ask('lsp/shutdown', undefined, 1);
    expect((await answer).result).toBe(null);
    expect(await channel.ended).toEqual({ kind: 'shutdown' });
    send(status);
    channel.ready(ready);
    await channel.drained();
    expect(told.all).toHaveLength(1);
  });

  it('may be sent without an id', async () => {
    const { channel, send, told } = openChannel();
    send({ method: 'lsp/shutdown' });
    expect(await channel.ended).toEqual({ kind: 'shutdown' });
    expect(told.all).toEqual([]);
  });

  it('with wrong parameters ends nothing', async () => {
    const { ask } = openChannel();
    expect((await ask('lsp/shutdown', { now: true })).error?.code).toBe(-32602);
    expect((await ask('lsp/status')).result).toEqual([]);
  });

  it('cancels what is in flight, whose answers come before its own; what comes after it is not read', async () => {
    const { bridge, cancelled } = endlessBridge();
    const { channel, ask, send, told } = openChannel(bridge);
    await ask('lsp/status');
    send({ id: 1, method: 'lsp/call', params: { tool: 'one' } }, { id: 2, method: 'lsp/shutdown' }, status);
    expect(await channel.ended).toEqual({ kind: 'shutdown' });
    expect(cancelled).toEqual(['one']);
    expect(told.all.slice(1)).toMatchObject([
      { id: 1, error: { code: -32800, data: { code: 'cancelled' } } },
      { id: 2, result: null },
    ]);
  });

  it('does not wait for ever for what does not heed it', async () => {
    const { channel, ask, send, told } = openChannel(stubBridge({ call: () => new Promise(() => {}) }));
    await ask('lsp/status');
    send({ id: 1, method: 'lsp/call', params: { tool: 'deaf' } }, { id: 2, method: 'lsp/shutdown' });
    expect(await channel.ended).toEqual({ kind: 'shutdown' });
    expect(told.all.slice(1)).toMatchObject([{ id: 2, result: null }]);
  });

  it('is answered though the host closes the input at once', async () => {
    const { bridge } = endlessBridge();
    const { channel, ask, send, input, told } = openChannel(bridge);
    await ask('lsp/status');
    send({ id: 1, method: 'lsp/call', params: { tool: 'one' } });
    input.end(frameOf('{"jsonrpc":"2.0","id":2,"method":"lsp/shutdown"}'));
    expect(await channel.ended).toEqual({ kind: 'shutdown' });
    expect(told.all.slice(1)).toMatchObject([
      { id: 1, error: { code: -32800 } },
      { id: 2, result: null },
    ]);
  });

  it('behind a large message is answered too, though the input is closed while that is read', async () => {
    const { channel, input, told } = openChannel();
    const large = { filePath: 'a', text: 'x'.repeat(2 * limits.frame.atOnce) };
    const check = { jsonrpc: '2.0', id: 1, method: 'lsp/checkFile', params: large };
    const frames = [check, { ...check, id: 2 }, { jsonrpc: '2.0', id: 3, method: 'lsp/shutdown' }];
    input.end(Buffer.concat(frames.map((frame) => frameOf(JSON.stringify(frame)))));
    expect(await channel.ended).toEqual({ kind: 'shutdown' });
    expect(told.all.map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it('has been taken by the host when the output is drained', async () => {
    const { channel, send, output, told } = openChannel();
    output.isStuck = true;
    send({ id: 2, method: 'lsp/shutdown' });
    await channel.ended;
    let isDrained = false;
    const drained = channel.drained().then(() => {
      isDrained = true;
    });
    await new Promise(setImmediate);
    expect(isDrained).toBe(false);
    output.flow();
    await drained;
    expect(told.all).toMatchObject([{ id: 2, result: null }]);
  });
});

describe('the end of the channel', () => {
  it('comes with the end of its input, also in the middle of a frame, and cancels what is in flight', async () => {
    const { bridge, cancelled } = endlessBridge();
    const { channel, ask, send, input, told } = openChannel(bridge);
    await ask('lsp/status');
    send({ id: 1, method: 'lsp/call', params: { tool: 'one' } });
    input.end('Content-Length: 20\r\n\r\n{"json');
    expect(await channel.ended).toEqual({ kind: 'closed' });
    expect(cancelled).toEqual(['one']);
    await new Promise(setImmediate);
    expect(told.all).toHaveLength(1);
  });

  it('comes when it is closed, once, and nothing is read or written after it', async () => {
    const { channel, input, send, told } = openChannel();
    await channel.close();
    await channel.close();
    expect(await channel.ended).toEqual({ kind: 'closed' });
    send(status);
    channel.ready(ready);
    await new Promise(setImmediate);
    expect(told.all).toEqual([]);
    input.destroy(new Error('too late to matter'));
  });

  it('comes when the host has gone, and a later error is harmless', async () => {
    const { channel, output } = openChannel();
    output.break(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    output.break(Object.assign(new Error('write EIO'), { code: 'EIO' }));
    expect(await channel.ended).toEqual({ kind: 'closed' });
  });

  it('is a fault where the input or the output fails otherwise', async () => {
    const writing = openChannel();
    writing.output.break(Object.assign(new Error('write EIO'), { code: 'EIO' }));
    expect(await writing.channel.ended).toEqual({
      kind: 'fault',
      reason: 'The connection to the host failed: write EIO.',
    });
    const reading = openChannel();
    reading.input.destroy(Object.assign(new Error('read EIO'), { code: 'EIO' }));
    expect(await reading.channel.ended).toMatchObject({
      kind: 'fault',
      reason: expect.stringContaining('read EIO'),
    });
  });

  it(`is a fault where a host leaves more than ${limits.stdioQueue} bytes unread`, async () => {
    const { channel, ask, send, output, told } = openChannel();
    output.waiting = limits.stdioQueue;
    expect((await ask('lsp/status')).result).toEqual([]);
    output.waiting += 1;
    send(status);
    expect(await channel.ended).toMatchObject({
      kind: 'fault',
      reason: expect.stringContaining('bytes unread'),
    });
    expect(told.all).toHaveLength(1);
  });

  it('does not come twice: the first reason counts', async () => {
    const { channel, input } = openChannel();
    input.write('garbage\n');
    input.end();
    expect(await channel.ended).toMatchObject({ kind: 'fault' });
  });
});

describe('lsp/diagnosticsChanged', () => {
  afterEach(() => void vi.useRealTimers());

  /** A channel that follows a desk, on a clock of its own. */
  async function following() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const listeners = new Set<(file?: string) => void>();
    const onProblems = (listener: (file?: string) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    };
    const opened = openChannel(stubBridge({ desk: { onProblems } }));
    const change = (file?: string) => {
      for (const listener of listeners) listener(file);
    };
    const changes = () => opened.told.all.flatMap(({ method, params }) => (method === told ? [params] : []));
    return { ...opened, listeners, change, changes };
  }
  const told = 'lsp/diagnosticsChanged';

  it('gathers files, in alphabetical order and each once, for half a second', async () => {
    const { channel, ask, change, changes } = await following();
    channel.ready(ready);
    await ask('lsp/status');
    for (const file of ['b', 'a', 'b']) change(file);
    vi.advanceTimersByTime(limits.rpc.gap - 1);
    expect(changes()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(changes()).toEqual([{ files: ['a', 'b'] }]);
    vi.advanceTimersByTime(10 * limits.rpc.gap);
    expect(changes()).toHaveLength(1);
    change('c');
    vi.advanceTimersByTime(limits.rpc.gap);
    expect(changes()).toEqual([{ files: ['a', 'b'] }, { files: ['c'] }]);
  });

  it('comes at most twice a second, however many changes there are', async () => {
    const { channel, ask, change, changes } = await following();
    channel.ready(ready);
    await ask('lsp/status');
    for (let at = 0; at < 1_000; at += 1) {
      change(`f${at % 7}`);
      vi.advanceTimersByTime(10);
    }
    expect(changes().length).toBeLessThanOrEqual(20);
    expect(changes().length).toBeGreaterThan(15);
  });

  it('names no file where it may be any, or where there are too many', async () => {
    const { channel, ask, change, changes } = await following();
    channel.ready(ready);
    await ask('lsp/status');
    change('a');
    change();
    change('b');
    vi.advanceTimersByTime(limits.rpc.gap);
    for (let at = 0; at < limits.rpc.changedFiles; at += 1) change(`f${at}`);
    vi.advanceTimersByTime(limits.rpc.gap);
    for (let at = 0; at <= limits.rpc.changedFiles; at += 1) change(`f${at}`);
    vi.advanceTimersByTime(limits.rpc.gap);
    const [any, listed, many] = changes();
    expect([any, many]).toEqual([{ files: null }, { files: null }]);
    expect(listed).toMatchObject({ files: { length: limits.rpc.changedFiles } });
  });

  it('comes to a host that only listens, and not before lsp/ready', async () => {
    const { channel, ask, change, changes, listeners, told: all } = await following();
    await ask('lsp/status');
    expect(listeners.size).toBe(0);
    channel.ready(ready);
    expect(listeners.size).toBe(1);
    change('a');
    vi.advanceTimersByTime(limits.rpc.gap);
    expect(changes()).toEqual([{ files: ['a'] }]);
    expect(all.all[1]).toMatchObject({ method: 'lsp/ready' });
  });

  it('comes no more after the end, which leaves no timer and no listener behind', async () => {
    const { channel, ask, change, changes, listeners } = await following();
    channel.ready(ready);
    await ask('lsp/status');
    change('a');
    expect(vi.getTimerCount()).toBe(1);
    await channel.close();
    expect(listeners.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
    expect(changes()).toEqual([]);
  });

  it('is followed once the bridge is open, though it could not be opened at first', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const followed: unknown[] = [];
    const bridge = stubBridge({
      desk: {
        onProblems: (listener) => {
          followed.push(listener);
          return () => {};
        },
      },
    });
    let attempts = 0;
    const { channel, ask, logged } = openChannel(async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('not yet');
      return bridge;
    });
    channel.ready(ready);
    await logged.nth(({ event }) => event === 'rpc.no_bridge');
    expect(followed).toHaveLength(0);
    await ask('lsp/status');
    expect(followed).toHaveLength(1);
  });
});
