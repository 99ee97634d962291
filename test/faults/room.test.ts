import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Router } from '../../src/backends/lsp/routing/router.ts';
import { ServerSlot } from '../../src/backends/lsp/session/server-slot.ts';
import { LspanError } from '../../src/core/errors.ts';
import { limits } from '../../src/core/limits.ts';
import { silent } from '../../src/core/log.ts';
import { untrusted } from '../../src/core/trust.ts';
import type { ServerDefinition } from '../../src/servers/definition.ts';
import { ask, expectInOrder, openTestBridge, question, type TestBridge } from '../test-bridge.ts';
import { openSandbox, temporaryFolder } from '../workspace/sandbox.ts';

const most = limits.servers.running;

/** A slot that only says that it runs, and since when it was not used. */
class StubSlot extends ServerSlot {
  #running: boolean;
  readonly #busy: boolean;

  constructor(definition: ServerDefinition, state: { running: boolean; busy: boolean; lastUsed: number }) {
    super(definition, '/', () => Promise.reject(new Error('nobody starts it')), silent);
    this.#running = state.running;
    this.#busy = state.busy;
    this.lastUsed = state.lastUsed;
  }

  override get running(): boolean {
    return this.#running;
  }

  override get busy(): boolean {
    return this.#busy;
  }

  override async stop(): Promise<void> {
    this.#running = false;
  }
}

type State = ConstructorParameters<typeof StubSlot>[1];
const idle = (lastUsed: number): State => ({ running: true, busy: false, lastUsed });
const busy: State = { running: true, busy: true, lastUsed: 0 };
const stopped: State = { running: false, busy: false, lastUsed: 0 };

/** A router over slots of these states, and which of them run. */
async function routerOver(states: readonly State[]) {
  const { workspace } = await openSandbox([temporaryFolder()]);
  const definitions = states.map((_, index) => ({
    id: `server-${index}`,
    extensions: {},
    program: { sources: [], args: [] },
    ready: { kind: 'immediate' } as const,
    install: '',
  }));
  const missing = new LspanError('not_installed', 'It is nowhere.');
  const open = (definition: ServerDefinition) =>
    new StubSlot(definition, states[Number(definition.id.slice('server-'.length))] ?? stopped);
  const router = new Router({
    definitions,
    workspace,
    find: () => missing,
    open,
    trusts: () => untrusted,
    room: most,
  });
  const slots = definitions.map((definition) => router.slot(definition, '/'));
  const at = (index: number) => slots[index] ?? expect.unreachable();
  return { router, at, running: () => slots.flatMap((slot, index) => (slot.running ? [index] : [])) };
}

const many = (count: number, state: (index: number) => State) =>
  Array.from({ length: count }, (_, index) => state(index));

describe('RES-09 no more servers run than may', () => {
  it('one below the bound, nobody has to go', async () => {
    const { router, at, running } = await routerOver([...many(most - 1, idle), stopped]);
    await router.stopIdleServer(at(most - 1));
    expect(running()).toHaveLength(most - 1);
  });

  it('at the bound, the one goes that was used least recently', async () => {
    const { router, at, running } = await routerOver([
      ...many(most, (index) => idle((index + 3) % most)),
      stopped,
    ]);
    await router.stopIdleServer(at(most));
    expect(running()).toEqual([0, 1, 2, 3, 4, 6, 7]);
  });

  it('a busy one never goes, however long ago it was used', async () => {
    const { router, at, running } = await routerOver([...many(most - 1, () => busy), idle(9), stopped]);
    await router.stopIdleServer(at(most));
    expect(running()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('when all are busy, the newcomer is told so', async () => {
    const { router, at, running } = await routerOver([...many(most, () => busy), stopped]);
    await expect(router.stopIdleServer(at(most))).rejects.toMatchObject({
      code: 'busy',
      retryable: true,
      nextStep: expect.any(String),
    });
    expect(running()).toHaveLength(most);
  });

  it('two newcomers at once get two places', async () => {
    const { router, at, running } = await routerOver([...many(most, idle), busy, busy]);
    await Promise.all([router.stopIdleServer(at(most)), router.stopIdleServer(at(most + 1))]);
    expect(running()).toEqual([2, 3, 4, 5, 6, 7, most, most + 1]);
  });

  it('a newcomer that already counts as starting does not count against itself', async () => {
    const { router, at, running } = await routerOver([...many(most - 1, idle), busy]);
    await router.stopIdleServer(at(most - 1));
    expect(running()).toHaveLength(most);
  });

  it('that there was no room is no crash of the server', async () => {
    const full = new LspanError('busy', 'There is no room.');
    const definition: ServerDefinition = {
      id: 'one',
      extensions: {},
      program: { sources: [], args: [] },
      ready: { kind: 'immediate' },
      install: '',
    };
    const slot = new ServerSlot(definition, '/', () => Promise.reject(full), silent);
    const call = {
      signal: new AbortController().signal,
      deadline: Number.POSITIVE_INFINITY,
      report: () => {},
    };
    for (let attempt = 0; attempt <= limits.restart.crashes; attempt += 1) {
      await expect(slot.obtain(call)).rejects.toBe(full);
    }
    expect(slot.supervisor).toMatchObject({ restarts: 0, lastError: undefined, circuitOpen: undefined });
  });
});

describe('RES-09 an idle server', () => {
  const shutdowns = (bridge: TestBridge) => bridge.received().filter(({ method }) => method === 'shutdown');
  const stateOf = async (bridge: TestBridge) => (await bridge.call('get_server_status', {})).data.servers;
  const deadline = 10 * limits.servers.idle;

  it('is stopped after its time, as no crash, and started again by the next call', async () => {
    fakeTime();
    const bridge = await openTestBridge({ deadline });
    await expectInOrder(bridge);
    vi.advanceTimersByTime(limits.servers.idle - 1);
    await expectInOrder(bridge);
    vi.advanceTimersByTime(limits.servers.idle - 1);
    expect(shutdowns(bridge)).toEqual([]);
    vi.advanceTimersByTime(1);
    await bridge.sent('exit');
    expect(await stateOf(bridge)).toMatchObject([{ state: 'stopped', restarts: 0, last_errors: [] }]);
    await expectInOrder(bridge);
    expect(bridge.pids()).toHaveLength(2);
  });

  it('is not stopped while it is asked, however long that takes', async () => {
    fakeTime();
    const held = {
      rules: [{ on: { method: 'textDocument/definition', nth: 2 }, do: [{ waitFor: 'textDocument/hover' }] }],
    };
    const bridge = await openTestBridge({ deadline, servers: { fake: { lives: [held] } } });
    await expectInOrder(bridge);
    const asked = ask(bridge);
    await bridge.sent('textDocument/definition', 2);
    vi.advanceTimersByTime(3 * limits.servers.idle);
    expect(await stateOf(bridge)).toMatchObject([{ state: 'running' }]);
    await bridge.call('get_hover', question.input);
    expect((await asked).data).toMatchObject({ complete: true, ...question.answer });
    expect(shutdowns(bridge)).toEqual([]);
    expect(bridge.pids()).toHaveLength(1);
  });
});

/** Lets the test say how time goes by; what happens between processes goes on as it does. */
function fakeTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}
