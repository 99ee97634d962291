import { describe, expect, it } from 'vitest';
import type { Action, FakeScript } from '../fake-server/script.ts';
import {
  ask,
  expectError,
  expectInOrder,
  openTestBridge,
  question,
  type TestServer,
} from '../test-bridge.ts';

const method = 'textDocument/definition';
const whenAsked = (...actions: Action[]): FakeScript => ({ rules: [{ on: { method }, do: actions }] });
const atInitialize = (...actions: Action[]): FakeScript => ({
  rules: [{ on: { method: 'initialize' }, do: actions }],
});
const decent: FakeScript = {};
const words: Action = { stderr: { bytes: 12, newline: false } };
const lastWords = 'eeeeeeeeeeee';
const open = (...lives: FakeScript[]) => openTestBridge({ servers: { fake: { lives } } });

describe('PRC-01 a server that crashes before it is up', () => {
  const starts: readonly [string, TestServer, readonly (string | RegExp)[]][] = [
    ['at spawn', { before: 'echo "no cheese" >&2; exit 3' }, [/code 3/, /no cheese/]],
    ['at spawn by a signal', { before: 'kill -s ABRT $$' }, [/signal SIGABRT/]],
    [
      'before the reply to initialize',
      { lives: [atInitialize(words, { exit: { code: 9 } })] },
      [/code 9/, lastWords],
    ],
    [
      'in the middle of that reply',
      { lives: [atInitialize(words, { partial: 0.5 }, { signalSelf: 'SIGKILL' })] },
      [/signal SIGKILL/, lastWords],
    ],
    [
      'with an error as that reply',
      { lives: [atInitialize({ replyError: { code: -32603, message: 'no licence' } })] },
      [/initialize/, /-32603/],
    ],
  ];
  it.each(starts)('%s is told with how it ended and what it last said', async (_when, server, told) => {
    const bridge = await openTestBridge({ servers: { fake: server } });
    expectError(await ask(bridge), 'server_crashed', /fake/, ...told);
    const status = await bridge.call('get_server_status', {});
    expect(status.data).toMatchObject({ servers: [{ id: 'fake', state: 'crashed', restarts: 1 }] });
    expect(status.text).toMatch(told[0] ?? '');
  });

  it('is started anew by the next call', async () => {
    const bridge = await open(atInitialize({ exit: { code: 9 } }), decent);
    expectError(await ask(bridge), 'server_crashed', /code 9/);
    await expectInOrder(bridge);
  });
});

describe('PRC-01 PRC-20 a server that crashes while it is asked is asked once more, on a new process', () => {
  const crashes: readonly [string, FakeScript][] = [
    [
      'right after the handshake',
      { rules: [{ on: { method: 'initialized' }, do: [{ exit: { code: 4 } }] }] },
    ],
    ['with a code', whenAsked({ exit: { code: 5 } })],
    ['PRC-03 with the code 0', whenAsked({ exit: { code: 0 } })],
    ['by a signal', whenAsked({ signalSelf: 'SIGKILL' })],
    ['in the middle of a header', whenAsked({ partial: 0.02 }, { signalSelf: 'SIGSEGV' })],
    ['in the middle of a body', whenAsked({ partial: 0.6 }, { signalSelf: 'SIGKILL' })],
  ];
  it.each(crashes)('%s', async (_how, first) => {
    const bridge = await open(first, decent);
    const { data, isError } = await ask(bridge);
    expect(isError).toBe(false);
    expect(data).toMatchObject({
      complete: false,
      doubts: [{ kind: 'server_restarted', server: 'fake' }],
      ...question.answer,
    });
    expect(bridge.pids()).toHaveLength(2);
    await expectInOrder(bridge);
    expect(bridge.pids()).toHaveLength(2);
  });

  it.each(crashes)(
    '%s, each time: that is an error, and the call after it is answered',
    async (_how, each) => {
      const bridge = await open(each, each, decent);
      expectError(await ask(bridge), 'server_crashed', /fake/, /code \d|signal SIG/);
      expect(bridge.pids()).toHaveLength(2);
      await expectInOrder(bridge);
    },
  );

  it('and what it then finds nothing for is an error too, since a server that has just started may not know yet', async () => {
    const bridge = await open(whenAsked({ exit: { code: 5 } }), whenAsked({ emptyResult: true }), decent);
    expectError(await ask(bridge), 'server_unverified', /fake/, /crashed/);
  });

  it('a crash with two questions under way starts one new process for both', async () => {
    const held: FakeScript = {
      rules: [
        { on: { method }, do: [{ never: true }] },
        { on: { method: 'textDocument/hover' }, do: [{ exit: { code: 5 } }] },
      ],
    };
    const bridge = await open(held, decent);
    const first = ask(bridge);
    await bridge.sent(method);
    const second = await bridge.call('get_hover', question.input);
    expect([(await first).data, second.data]).toMatchObject([
      { doubts: [{ kind: 'server_restarted' }], ...question.answer },
      { doubts: [{ kind: 'server_restarted' }], hover: { text: expect.stringContaining('function alpha') } },
    ]);
    expect(bridge.pids()).toHaveLength(2);
  });
});

describe('PRC-01 a server that crashes between calls', () => {
  const crashed = ({ event }: { readonly event: string }) => event === 'server_crashed';

  it('right after a reply has answered, and is started anew', async () => {
    const bridge = await open(whenAsked({ reply: 'auto' }, { exit: { code: 5 } }), decent);
    expect((await ask(bridge)).data).toMatchObject(question.answer);
    await bridge.logged.nth(crashed);
    await expectInOrder(bridge);
    expect(bridge.pids()).toHaveLength(2);
  });

  it('while idle is started anew, and the crash is no doubt of the next answer', async () => {
    const bridge = await open(decent);
    await expectInOrder(bridge);
    process.kill(bridge.pids()[0] ?? Number.NaN, 'SIGKILL');
    await bridge.logged.nth(crashed);
    const { data, text } = await bridge.call('get_server_status', {});
    expect(data).toMatchObject({ servers: [{ state: 'crashed' }] });
    expect(text).toMatch(/signal SIGKILL/);
    await expectInOrder(bridge);
    expect(bridge.pids()).toHaveLength(2);
  });

  it('at the very moment of a call answers that call, from one process or the other', async () => {
    const bridge = await open(decent);
    await expectInOrder(bridge);
    process.kill(bridge.pids()[0] ?? Number.NaN, 'SIGKILL');
    expect((await ask(bridge)).data).toMatchObject(question.answer);
    await expectInOrder(bridge);
  });
});

describe('the end of a server that was asked to end', () => {
  const ends: readonly [string, FakeScript][] = [
    [
      'PRC-01 crashes in shutdown',
      { rules: [{ on: { method: 'shutdown' }, do: [{ signalSelf: 'SIGSEGV' }] }] },
    ],
    [
      'PRC-03 exits with 1 after a clean shutdown',
      { rules: [{ on: { method: 'exit' }, do: [{ exit: { code: 1 } }] }] },
    ],
    [
      'refuses the shutdown',
      { rules: [{ on: { method: 'shutdown' }, do: [{ replyError: { code: -32603, message: 'no' } }] }] },
    ],
  ];
  it.each(ends)('%s: that is no crash', async (_how, script) => {
    const bridge = await open(script);
    await expectInOrder(bridge);
    await bridge.close();
    expect(bridge.received().map(({ method }) => method)).toContain('shutdown');
    expect(bridge.logged.all.map(({ event }) => event)).not.toContain('server_crashed');
  });
});
