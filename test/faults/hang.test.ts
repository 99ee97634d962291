import { describe, expect, it, vi } from 'vitest';
import { alive } from '../../src/platform/processes/process-facts.ts';
import { sendSignal } from '../../src/platform/processes/signal.ts';
import { inSandbox, unconfinable } from '../confined.ts';
import type { Action, FakeScript } from '../fake-server/script.ts';
import { ask, expectError, openTestBridge, question, type TestBridge } from '../test-bridge.ts';

vi.mock('../../src/core/limits.ts', async (original) => {
  const { limits } = await original<typeof import('../../src/core/limits.ts')>();
  return { limits: { ...limits, hung: { idle: 400, busy: 1_600, leastWork: 0.05 } } };
});

const method = 'textDocument/definition';
const patience = { timeout: 120_000 };
/** Long enough for a healthy answer on a busy machine, short enough to be waited for. */
const deadline = 3_000;
const once = (...actions: Action[]): FakeScript => ({ rules: [{ on: { method, nth: 1 }, do: actions }] });
const open = (...lives: FakeScript[]) => openTestBridge({ deadline, servers: { fake: { lives } } });
const crashed = ({ event }: { readonly event: string }) => event === 'server_crashed';
const probes = ({ traced }: TestBridge) =>
  traced.all.filter(
    ({ direction, message }) =>
      direction === 'to_server' && JSON.stringify(message).includes('$/lspan/alive'),
  );

/** Asks something else until the server is up, so that the deadline is not spent on its start. */
async function warm(bridge: TestBridge): Promise<void> {
  while ((await bridge.call('get_hover', question.input)).isError);
}

/** Expects that the server was ended as hung, and that a new one answers. */
async function expectReplaced(bridge: TestBridge): Promise<void> {
  const { fields } = await bridge.logged.nth(crashed);
  expect(String(fields.error)).toMatch(/fake did not respond for [\d.]+ s and was stopped/);
  await warm(bridge);
  expect((await ask(bridge)).data).toMatchObject({ complete: true, doubts: [], ...question.answer });
  const [hung = Number.NaN] = bridge.pids();
  expect(alive(hung)).toBe(false);
  expect(bridge.pids()).toHaveLength(2);
  const { data } = await bridge.call('get_server_status', {});
  expect(data).toMatchObject({
    servers: [{ state: 'running', restarts: 1, last_exit: { how: 'signal SIGKILL' } }],
  });
}

describe('PRC-06 a server that hangs', () => {
  it.skipIf(unconfinable !== '').each([
    ['because it stopped itself', { signalSelf: 'SIGSTOP' }],
    ['because it loops', { busyLoop: true }],
  ] as const)(inSandbox('CNF-08 in a sandbox %s is replaced too'), patience, async (_why, action) => {
    const servers = { fake: { lives: [once(action), {}] } };
    const bridge = await openTestBridge({ deadline, servers, config: { confine: 'always' } });
    await warm(bridge);
    expectError(await ask(bridge), 'timed_out', /3 s/);
    await bridge.logged.nth(crashed);
    await warm(bridge);
    expect((await ask(bridge)).data).toMatchObject({ complete: true, doubts: [], ...question.answer });
    expect((await bridge.call('get_server_status', {})).text).toContain(', confined');
  });

  it(
    'because it was stopped: the call ends at its deadline, the server is replaced, and SIGCONT harms nobody',
    patience,
    async () => {
      const bridge = await open({});
      await warm(bridge);
      const [pid = Number.NaN] = bridge.pids();
      process.kill(pid, 'SIGSTOP');
      expectError(await ask(bridge), 'timed_out', /3 s/);
      await expectReplaced(bridge);
      expect(sendSignal(pid, 'SIGCONT')).toBe('gone');
      expect((await ask(bridge)).data).toMatchObject({ complete: true, ...question.answer });
    },
  );

  it('because it stopped itself, and whose caller gave up, is replaced too', patience, async () => {
    const bridge = await open(once({ signalSelf: 'SIGSTOP' }), {});
    await warm(bridge);
    const caller = new AbortController();
    const asked = ask(bridge, { signal: caller.signal });
    await bridge.sent(method);
    caller.abort();
    expect((await asked).data).toMatchObject({ error: { code: 'cancelled' } });
    await expectReplaced(bridge);
  });

  it('and is asked again meanwhile answers that call from a new process', patience, async () => {
    const bridge = await openTestBridge({
      servers: { fake: { lives: [once({ signalSelf: 'SIGSTOP' }), {}] } },
    });
    await warm(bridge);
    const caller = new AbortController();
    const first = ask(bridge, { signal: caller.signal });
    await bridge.sent(method);
    caller.abort();
    await first;
    expect((await ask(bridge)).data).toMatchObject({
      doubts: [{ kind: 'server_restarted' }],
      ...question.answer,
    });
  });

  it('because it does not read: the queue has its bound, and the server is replaced', patience, async () => {
    const names = ['b', 'c', 'd', 'e', 'f', 'g'].map((name) => `${name}.txt`);
    const large = `alpha\n${'x'.repeat(3_900_000)}\n`;
    const files = { 'a.txt': 'function alpha\n', ...Object.fromEntries(names.map((name) => [name, large])) };
    const deaf: FakeScript = { rules: [{ on: { method: 'initialized' }, do: [{ stopReadingStdin: true }] }] };
    const bridge = await openTestBridge({ files, servers: { fake: { lives: [deaf, {}] } } });
    const caller = new AbortController();
    const asked = names.map((file_path) =>
      bridge.call('find_definition', { ...question.input, file_path }, { signal: caller.signal }),
    );
    const refused = await Promise.any(
      asked.map((one) => one.then(({ data }) => data.error ?? Promise.reject())),
    );
    expect(refused).toMatchObject({ code: 'busy', message: expect.stringMatching(/does not read/) });
    caller.abort();
    await Promise.all(asked);
    await bridge.logged.nth(crashed);
    const { data } = await ask(bridge);
    expect(data).toMatchObject({ definitions: [{ file_path: 'a.txt' }] });
    expect(bridge.pids()).toHaveLength(2);
  });
});

describe('PRC-08 a server that computes for ever', () => {
  it('and answers nothing any more is replaced after the bound', patience, async () => {
    const bridge = await open(once({ busyLoop: true }), {});
    await warm(bridge);
    expectError(await ask(bridge), 'timed_out');
    await expectReplaced(bridge);
  });

  it('and still answers what is cheap stays', patience, async () => {
    const bridge = await open(once({ never: true }));
    await warm(bridge);
    expectError(await ask(bridge), 'timed_out');
    await bridge.traced.nth(({ message }) => JSON.stringify(message).includes('-32601'));
    expect((await ask(bridge)).data).toMatchObject({ complete: true, ...question.answer });
    expect(probes(bridge)).toHaveLength(1);
    expect(bridge.pids()).toHaveLength(1);
  });

  it('and tells of its progress is not even asked', patience, async () => {
    const progress: Action = { progress: { token: 1, kind: 'report', message: 'half' } };
    const bridge = await open(once(progress, { never: true }));
    await warm(bridge);
    expectError(await ask(bridge), 'timed_out');
    expect((await ask(bridge)).data).toMatchObject({ complete: true, ...question.answer });
    expect(probes(bridge)).toEqual([]);
    expect(bridge.pids()).toHaveLength(1);
  });
});
