import { describe, expect, it } from 'vitest';
import type { Bridge } from '../../../src/bridge.ts';
import { asLspanError, LspanError } from '../../../src/core/errors.ts';
import { limits } from '../../../src/core/limits.ts';
import { fail } from '../../../src/tools/run/render-error.ts';
import { openChannel, stubBridge } from './open-channel.ts';

/** A bridge whose calls wait to be let go, or end when they are cancelled. */
function slowBridge() {
  const waiting = new Map<unknown, () => void>();
  const bridge = stubBridge({
    call: (tool, _args, { signal } = {}) =>
      new Promise((resolve) => {
        waiting.set(tool, () => resolve({ text: tool, data: {}, isError: false }));
        signal?.addEventListener('abort', () => resolve(fail(asLspanError(signal.reason))));
      }),
  });
  return { bridge, letGo: (tool: string) => waiting.get(tool)?.(), waiting };
}

const call = (id: unknown, tool = String(id)) => ({ id, method: 'lsp/call', params: { tool } });
const cancel = (id: unknown) => ({ method: '$/cancelRequest', params: { id } });
const status = (id: unknown) => ({ id, method: 'lsp/status' });

describe('a request', () => {
  it('is answered as soon as its answer is there, whichever came first', async () => {
    const { bridge, letGo } = slowBridge();
    const { send, ask, answerTo, told } = openChannel(bridge);
    send(call(1), call(2));
    await ask('lsp/status', {}, 3);
    letGo('2');
    await answerTo(2);
    letGo('1');
    await answerTo(1);
    expect(told.all.map(({ id }) => id)).toEqual([3, 2, 1]);
    expect((await answerTo(1)).result).toEqual({ text: '1', data: {} });
  });

  it('of a method that does not exist is told which there are', async () => {
    const { ask } = openChannel();
    expect((await ask('lsp/chekFile')).error).toMatchObject({
      code: -32601,
      data: { code: 'invalid_input', next_step: 'Did you mean lsp/checkFile?' },
    });
    for (const method of ['', 'initialize', '__proto__', 'constructor', '$/other', 'x'.repeat(1 << 20)]) {
      const { error } = await ask(method);
      expect(error).toMatchObject({ code: -32601, data: { code: 'invalid_input' } });
      expect(error?.message.length).toBeLessThan(1_000);
    }
    expect((await ask('initialize')).error?.data.next_step).toContain('lsp/checkFile, lsp/diagnostics');
  });

  it('whose answer nobody foresaw is an internal error, and the next is answered', async () => {
    const desk = { servers: () => Promise.reject(new TypeError('x is not a function')) };
    const { ask, logged } = openChannel(stubBridge({ desk }));
    const { error } = await ask('lsp/status');
    expect(error).toMatchObject({ code: -32603, data: { code: 'internal' } });
    expect(error?.message).not.toContain('x is not');
    expect(logged.all).toMatchObject([{ event: 'rpc.failed', fields: { method: 'lsp/status' } }]);
    expect((await ask('lsp/checkFile', { filePath: 'a' })).result).toEqual([]);
  });

  it('on a surface that does not exist is told which there are', async () => {
    const refuse = async () => {
      throw new LspanError('invalid_input', 'There is no surface "x".', { nextStep: 'The surfaces are: a.' });
    };
    const { ask } = openChannel(stubBridge({ call: refuse }));
    expect((await ask('lsp/call', { tool: 'a', surface: 'x' })).error).toMatchObject({
      code: -32602,
      data: { code: 'invalid_input', next_step: 'The surfaces are: a.' },
    });
  });
});

describe('PRO-11 ids', () => {
  it('that are alike but not the same are two', async () => {
    const { send, answerTo } = openChannel();
    send(status(1), status('1'), status(0), status(''), status(-1), status(Number.MAX_SAFE_INTEGER));
    for (const id of [1, '1', 0, '', -1, Number.MAX_SAFE_INTEGER]) {
      expect((await answerTo(id)).result).toEqual([]);
    }
  });

  it.each([null, 1.5, {}, [], true, 2 ** 60])('of %o are none', async (id) => {
    const { send, answerTo, ask } = openChannel();
    send(status(id));
    expect((await answerTo(null)).error).toMatchObject({ code: -32600, data: { code: 'invalid_input' } });
    await ask('lsp/status');
  });

  it('may be 256 characters long, and not one more', async () => {
    const { send, answerTo } = openChannel();
    send(status('x'.repeat(limits.rpc.id)), status('y'.repeat(limits.rpc.id + 1)));
    expect((await answerTo('x'.repeat(limits.rpc.id))).result).toEqual([]);
    expect((await answerTo(null)).error?.code).toBe(-32600);
  });

  it('in flight are refused without an id, which would be taken for the answer, and may be used again after it', async () => {
    const { bridge, letGo } = slowBridge();
    const { send, answerTo, told } = openChannel(bridge);
    send(call(7, 'first'), call(7, 'second'), status(7), { id: 7, method: 7 }, { id: 7, method: 'nothing' });
    for (const nth of [1, 2, 3, 4]) {
      expect((await answerTo(null, nth)).error).toMatchObject({ code: -32600 });
    }
    expect((await answerTo(null)).error?.message).toContain('the id 7');
    letGo('first');
    expect((await answerTo(7)).result).toMatchObject({ text: 'first' });
    send(status(7));
    expect((await answerTo(7, 2)).result).toEqual([]);
    expect(told.all).toHaveLength(6);
  });
});

describe('$/cancelRequest', () => {
  it('has a request answered with the code cancelled', async () => {
    const { bridge } = slowBridge();
    const { send, answerTo } = openChannel(bridge);
    send(call(1), cancel(1));
    expect((await answerTo(1)).error).toMatchObject({
      code: -32800,
      message: 'The host cancelled this request.',
      data: { code: 'cancelled' },
    });
  });

  it('TRN-18 of what is unknown, finished, malformed, or cancelled twice, says nothing', async () => {
    const { bridge } = slowBridge();
    const { send, ask, answerTo, told, logged } = openChannel(bridge);
    await ask('lsp/status', {}, 'done');
    send(cancel('done'), cancel('never'), { method: '$/cancelRequest' }, cancel({ id: 1 }), cancel(null));
    send(call('1'), cancel(1), cancel('1'), cancel('1'));
    expect((await answerTo('1')).error?.code).toBe(-32800);
    await ask('lsp/status');
    expect(told.all).toHaveLength(3);
    expect(logged.all.map(({ event }) => event)).toEqual(Array(3).fill('rpc.notification_refused'));
  });

  it('does not take back what was done before it was heeded', async () => {
    let done = () => {};
    const bridge = stubBridge({
      call: () =>
        new Promise((resolve) => {
          done = () => resolve({ text: 'renamed', data: {}, isError: false });
        }),
    });
    const { send, ask, answerTo } = openChannel(bridge);
    await ask('lsp/status');
    send(call(1), cancel(1));
    await ask('lsp/status');
    done();
    expect((await answerTo(1)).result).toMatchObject({ text: 'renamed' });
  });

  it('of a request that waits for the bridge means that it is never begun', async () => {
    let open = (_bridge: Bridge) => {};
    const opening = new Promise<Bridge>((resolve) => {
      open = resolve;
    });
    const calls: string[] = [];
    const { send, answerTo } = openChannel(() => opening);
    send(call(1), call(2), cancel(1));
    await new Promise(setImmediate);
    open(
      stubBridge({
        call: async (tool) => {
          calls.push(tool);
          return { text: tool, data: {}, isError: false };
        },
      }),
    );
    expect((await answerTo(1)).error?.code).toBe(-32800);
    await answerTo(2);
    expect(calls).toEqual(['2']);
  });
});

describe('requests in flight', () => {
  it(`are at most ${limits.rpc.inFlight}; one more is busy, but not what ends others`, async () => {
    const { bridge, letGo } = slowBridge();
    const { send, ask, answerTo, told } = openChannel(bridge);
    send(...Array.from({ length: limits.rpc.inFlight }, (_, at) => call(at)));
    expect((await ask('lsp/status')).error).toMatchObject({
      code: -32000,
      data: { code: 'busy', retryable: true, next_step: expect.any(String) },
    });
    expect((await ask('lsp/didChange', { filePath: 'a', text: 'x' })).result).toBe(null);
    expect((await ask('$/cancelRequest', { id: 5 })).result).toBe(null);
    expect((await answerTo(5)).error?.code).toBe(-32800);
    expect((await ask('lsp/status')).result).toEqual([]);
    letGo('6');
    await answerTo(6);
    expect(told.all).toHaveLength(6);
  });
});

describe('a notification', () => {
  it('of a method that is answered is not run, since nobody would hear of it', async () => {
    const calls: string[] = [];
    const bridge = stubBridge({
      call: async (tool) => {
        calls.push(tool);
        return { text: '', data: {}, isError: false };
      },
    });
    const { send, ask, told, logged } = openChannel(bridge);
    send({ method: 'lsp/call', params: { tool: 'rename_symbol' } }, { method: 'other' });
    await ask('lsp/status');
    expect(calls).toEqual([]);
    expect(told.all).toHaveLength(1);
    expect(logged.all).toMatchObject([
      { event: 'rpc.notification_ignored', fields: { method: 'lsp/call' } },
      { event: 'rpc.notification_ignored', fields: { method: 'other' } },
    ]);
  });

  it('of a name that begins with $/ is ignored in silence', async () => {
    const { send, ask, told, logged } = openChannel();
    send({ method: '$/setTrace', params: { value: 'off' } }, { method: '$/progress' });
    await ask('lsp/status');
    expect(told.all).toHaveLength(1);
    expect(logged.all).toEqual([]);
  });
});

describe('the bridge', () => {
  it('is opened once, and what came before it was open is answered', async () => {
    let opened = 0;
    const { send, answerTo, ask, channel } = openChannel(async () => {
      opened += 1;
      return stubBridge();
    });
    send(status(1), status(2));
    channel.ready({ version: '1', workspaceRoots: [] });
    await Promise.all([answerTo(1), answerTo(2)]);
    await ask('lsp/status');
    expect(opened).toBe(1);
  });

  it('that cannot be opened is an error for each who waits, and is tried again by the next', async () => {
    const failures = [new LspanError('busy', 'Not now.'), new LspanError('internal', 'Not like this.')];
    const { send, ask, answerTo, channel, logged } = openChannel(async () => {
      const failure = failures.shift();
      if (failure) throw failure;
      return stubBridge();
    });
    channel.ready({ version: '1', workspaceRoots: [] });
    await logged.nth(({ event }) => event === 'rpc.no_bridge');
    send(status(1), status(2));
    expect((await answerTo(1)).error).toMatchObject({ code: -32603, data: { code: 'internal' } });
    expect((await answerTo(2)).error).toMatchObject({ code: -32603, data: { code: 'internal' } });
    expect((await ask('lsp/status')).result).toEqual([]);
  });

  it(`has at most ${limits.rpc.waiting} messages waiting for it: more are not read before it is open`, async () => {
    let open = (_bridge: Bridge) => {};
    const opening = new Promise<Bridge>((resolve) => {
      open = resolve;
    });
    const { input, send, answerTo } = openChannel(() => opening);
    for (let id = 1; id < limits.rpc.waiting; id += 1) send(status(id));
    expect(input.isPaused()).toBe(false);
    send(status(limits.rpc.waiting));
    expect(input.isPaused()).toBe(true);
    send(status('later'));
    open(stubBridge());
    expect((await answerTo('later')).result).toEqual([]);
    expect(input.isPaused()).toBe(false);
  });
});
