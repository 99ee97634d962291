import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type BudgetedServer, MemoryBudget } from '../../../../src/backends/lsp/process/memory-budget.ts';
import { LspanError } from '../../../../src/core/errors.ts';
import { limits } from '../../../../src/core/limits.ts';
import { CancelSource } from '../../../../src/core/runtime/cancellation.ts';
import type { MemoryPressure } from '../../../../src/platform/processes/machine-memory.ts';

const MiB = 1024 * 1024;
const { newcomer, pressure, wait } = limits.memoryBudget;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A server whose memory and use the test sets. */
class StubServer implements BudgetedServer {
  readonly definition: { readonly id: string };
  readonly pid: number;
  running = false;
  busy = false;
  lastUsed = 0;
  reason: string | undefined;
  error: LspanError | undefined;
  release = () => {};

  constructor(id: string, pid: number) {
    this.definition = { id };
    this.pid = pid;
  }

  async makeRoom(reason: string): Promise<void> {
    this.reason = reason;
    this.end();
  }

  exceed(error: LspanError): void {
    this.error = error;
    this.end();
  }

  end(): void {
    this.running = false;
    this.release();
  }
}

/** A budget over servers of two workspaces. */
function budgetOf(most: number, machine = 1024 * MiB) {
  const memory = new Map<number, number>();
  const felt: { now: MemoryPressure | undefined } = { now: undefined };
  const budget = new MemoryBudget({
    use: async (pids) =>
      new Map(pids.map((pid) => [pid, { memory: memory.get(pid) ?? 0, processorTime: 0 }])),
    machine: () => machine,
    pressure: () => felt.now,
  });
  const workspaces: { readonly slots: StubServer[] }[] = [{ slots: [] }, { slots: [] }];
  for (const workspace of workspaces) budget.add(workspace, most);
  const server = (id: string) => {
    const count = workspaces.flatMap(({ slots }) => slots).length;
    const made = new StubServer(id, 1_000 + count);
    workspaces[count % 2]?.slots.push(made);
    return made;
  };
  const start = async (one: StubServer, signal = new CancelSource()) => {
    one.running = true;
    one.busy = true;
    await budget.admit(one, signal).catch((error: unknown) => {
      one.running = false;
      throw error;
    });
    one.release = budget.watch.watch(one.pid, Number.POSITIVE_INFINITY, () => {});
  };
  /** A server that has loaded, uses so much, and was last used then. */
  const settled = async (id: string, bytes: number, lastUsed: number) => {
    const one = server(id);
    await start(one);
    memory.set(one.pid, bytes);
    await vi.advanceTimersByTimeAsync(limits.memoryCheckAtStart.time);
    await look();
    return Object.assign(one, { busy: false, lastUsed });
  };
  return { budget, memory, felt, workspaces, server, start, settled };
}

/** A start that is refused once it has waited long enough. */
async function refused(starting: Promise<void>): Promise<unknown> {
  const outcome = starting.then(
    () => 'it was admitted',
    (error: unknown) => error,
  );
  await vi.advanceTimersByTimeAsync(wait);
  return outcome;
}

const look = () => vi.advanceTimersByTimeAsync(limits.memoryCheckEvery);

describe('PRC-26 before a server starts', () => {
  it.each([
    ['fits to the byte, nobody goes', 40, [true, true]],
    ['takes a byte too many, the least recently used idle one goes', 41, [false, true]],
  ])('if it %s', async (_title, bytes, states) => {
    const { settled, server, start } = budgetOf(2 * newcomer + 100);
    const servers = [await settled('a', 60, 1), await settled('b', bytes, 2)];
    await start(server('c'));
    await start(server('d'));
    expect(servers.map(({ running }) => running)).toEqual(states);
    expect(servers[0]?.reason).toBe(
      states[0]
        ? undefined
        : 'Stopped while idle, for d to start with about 128 MB: 3 language servers used about 128 MB (limit of all: 256 MB).',
    );
  });

  it('as many go as must, the oldest first, of whatever workspace', async () => {
    const { settled, server, start } = budgetOf(newcomer + 60);
    const servers = [
      await settled('a', 40, 3),
      await settled('b', 40, 1),
      await settled('c', 10, 2),
      await settled('d', 30, 4),
    ];
    await start(server('e'));
    expect(servers.map(({ running }) => running)).toEqual([false, false, false, true]);
  });

  it('a busy one never goes: the error says what is used, by how many, and the limit', async () => {
    const { settled, server, start } = budgetOf(300 * MiB);
    const [idle, ...busy] = [
      await settled('a', 20 * MiB, 9),
      await settled('b', 90 * MiB, 1),
      await settled('c', 110 * MiB, 2),
    ];
    for (const one of busy) one.busy = true;
    expect(await refused(start(server('d')))).toMatchObject({
      code: 'busy',
      retryable: true,
      message:
        'd needs about 128 MB of memory to start, but 2 busy language servers used about 200 MB (limit of all: 300 MB).',
      nextStep: expect.stringContaining('servers_memory_mb'),
    });
    // An idle one is not stopped in vain.
    expect([idle, ...busy].map(({ running }) => running)).toEqual([true, true, true]);
  });

  it('a server that was refused does not count, and the next one may start', async () => {
    const { settled, server, start } = budgetOf(newcomer);
    const one = await settled('a', newcomer, 1);
    one.busy = true;
    expect(await refused(start(server('b')))).toMatchObject({ code: 'busy' });
    one.busy = false;
    await start(server('c'));
    expect(one.running).toBe(false);
  });

  it('one that needs more than there is starts alone', async () => {
    const { settled, server, start } = budgetOf(newcomer / 2);
    const one = await settled('a', 10, 1);
    const two = server('b');
    await start(two);
    expect([one.running, two.running]).toEqual([false, true]);
    expect(await refused(start(server('c')))).toMatchObject({ code: 'busy' });
  });

  it('a server counts as those of its definition were last seen, until it has loaded', async () => {
    const { settled, server, start, memory, budget } = budgetOf(1_000 * MiB);
    const first = await settled('a', 400 * MiB, 1);
    const second = server('a');
    await start(second);
    memory.set(second.pid, 5 * MiB);
    await look();
    second.busy = false;
    second.lastUsed = 2;
    // 400 as measured, 400 as expected, and 400 more do not fit.
    const third = server('a');
    await start(third);
    expect([first.running, second.running]).toEqual([false, true]);
    expect(budget.use.used).toBe(5 * MiB);
    // Once loaded, it counts for what it uses.
    await vi.advanceTimersByTimeAsync(limits.memoryCheckAtStart.time);
    third.busy = false;
    await start(server('a'));
    expect(second.running).toBe(true);
  });

  it('newcomers take turns: each counts those before it, and none those behind it', async () => {
    const { server, start } = budgetOf(2 * newcomer);
    const servers = ['a', 'b', 'c'].map(server);
    const [first, second, third] = servers.map((one) => start(one));
    await Promise.all([first, second]);
    expect(await refused(third ?? expect.unreachable())).toMatchObject({ code: 'busy' });
  });

  it('newcomers wait for busy ones, in order, and start when one becomes idle', async () => {
    const { settled, server, start, budget } = budgetOf(newcomer);
    const one = await settled('a', newcomer, 1);
    one.busy = true;
    const started: string[] = [];
    const [second, third] = ['b', 'c'].map((id) => {
      const made = server(id);
      return { made, starting: start(made).then(() => void started.push(id)) };
    });
    if (!second || !third) return expect.unreachable();
    await vi.advanceTimersByTimeAsync(wait - 1);
    one.busy = false;
    budget.wake();
    await second.starting;
    expect([one.running, started]).toEqual([false, ['b']]);
    expect(await refused(third.starting)).toMatchObject({ code: 'busy' });
    expect(second.made.running).toBe(true);
  });

  it('one that is given up while it waits lets the next have its turn', async () => {
    const { settled, server, start } = budgetOf(newcomer);
    const slow = await settled('a', newcomer, 1);
    let stopped = () => {};
    slow.makeRoom = () =>
      new Promise((resolve) => {
        stopped = () => {
          slow.end();
          resolve();
        };
      });
    const first = start(server('b'));
    const end = new CancelSource();
    const second = start(server('c'), end);
    end.abort(new LspanError('cancelled', 'It was stopped.'));
    await expect(second).rejects.toMatchObject({ code: 'cancelled' });
    stopped();
    await first;
    expect(await refused(start(server('d')))).toMatchObject({ code: 'busy' });
  });
});

describe('PRC-27 while servers run', () => {
  it('the least recently used idle ones go at one byte too many, as many as must', async () => {
    const { settled, memory } = budgetOf(10 * newcomer);
    const servers = [await settled('a', 10, 3), await settled('b', 10, 1), await settled('c', 10, 2)];
    const states = () => servers.map(({ running }) => running);
    const [first] = servers;
    if (!first) return expect.unreachable();
    first.busy = true;
    memory.set(first.pid, 10 * newcomer - 20);
    await look();
    expect(states()).toEqual([true, true, true]);
    memory.set(first.pid, 10 * newcomer - 19);
    await look();
    expect(states()).toEqual([true, false, true]);
    expect(servers[1]?.reason).toBe(
      'Stopped while idle: 3 language servers used 1280 MB (limit of all: 1280 MB).',
    );
    memory.set(first.pid, 10 * newcomer);
    await look();
    expect(states()).toEqual([true, false, false]);
    expect(first.error).toBeUndefined();
  });

  it('if all are busy, the largest is ended, one at a look', async () => {
    const { settled, server, start, memory } = budgetOf(1_000 * MiB);
    const servers = [
      await settled('a', 100 * MiB, 1),
      await settled('b', 100 * MiB, 2),
      await settled('c', 100 * MiB, 3),
    ];
    for (const [index, one] of servers.entries()) {
      one.busy = true;
      memory.set(one.pid, ([900, 400, 700][index] ?? 0) * MiB);
    }
    await look();
    expect(servers.map(({ running }) => running)).toEqual([false, true, true]);
    expect(servers[0]?.error).toMatchObject({
      code: 'memory_limit',
      retryable: true,
      message:
        'a and its child processes used 900 MB of memory and were stopped: 3 language servers used 2000 MB (limit of all: 1000 MB).',
      nextStep: expect.stringContaining('servers_memory_mb'),
    });
    await look();
    expect(servers.map(({ running }) => running)).toEqual([false, true, false]);
    await look();
    expect(servers.map(({ running }) => running)).toEqual([false, true, false]);
    // One that was ended may start again, although it once used more than there is now.
    await start(server('a'));
  });

  it('what a loading server is expected to use stops nobody', async () => {
    const { settled, server, start, memory } = budgetOf(1_000 * MiB);
    const idle = await settled('a', 600 * MiB, 1);
    memory.set(idle.pid, 10 * MiB);
    const young = server('b');
    await start(young);
    memory.set(young.pid, 900 * MiB);
    await look();
    expect([idle.running, young.running]).toEqual([true, true]);
  });
});

describe('PRC-28 under pressure of the kernel', () => {
  const high: MemoryPressure = { some: pressure.some + 0.01, full: 0 };

  it.each([
    ['at the limits', { some: pressure.some, full: pressure.full }, [true, true, true]],
    ['above the limit of some', high, [true, false, true]],
    ['above the limit of full', { some: 0, full: pressure.full + 0.01 }, [true, false, true]],
    ['without a report', undefined, [true, true, true]],
  ])('%s', async (_title, reported, states) => {
    const { settled, felt } = budgetOf(0);
    const servers = [await settled('a', 10, 2), await settled('b', 10, 1), await settled('c', 10, 3)];
    felt.now = reported;
    await look();
    expect(servers.map(({ running }) => running)).toEqual(states);
  });

  it('the idle servers go one by one, and neither busy ones nor those in use', async () => {
    const { settled, felt } = budgetOf(0);
    const servers = [await settled('a', 10, 1), await settled('b', 10, 2), await settled('c', 10, 3)];
    const used = await settled('d', 10, 4);
    const [first] = servers;
    if (first) first.busy = true;
    used.lastUsed = performance.now();
    felt.now = high;
    const states = () => [...servers, used].map(({ running }) => running);
    await look();
    expect(states()).toEqual([true, false, true, true]);
    await look();
    expect(states()).toEqual([true, false, false, true]);
    await look();
    expect(states()).toEqual([true, false, false, true]);
    expect(servers[1]?.reason).toBe('Stopped while idle: the system was short of memory.');
    await vi.advanceTimersByTimeAsync(pressure.idle);
    await look();
    expect(states()).toEqual([true, false, false, false]);
  });
});

describe('PRC-26 the limit', () => {
  it('is half of the memory that there is, unless it is set', () => {
    const { budget, workspaces } = budgetOf(0, 1_001);
    expect(budget.use).toEqual({ servers: 0, used: 0, most: 500 });
    const [first] = workspaces;
    if (first) budget.add(first, 700);
    expect(budget.use.most).toBe(500);
  });

  it('is the smallest of all who share it, for as long as they do', () => {
    const { budget } = budgetOf(900, 1_000);
    const narrow = { slots: [] };
    budget.add(narrow, 300);
    expect(budget.use.most).toBe(300);
    budget.delete(narrow);
    expect(budget.use.most).toBe(900);
  });
});

it('PRC-23 nothing stays of a thousand workspaces that shared a budget', async () => {
  const { budget, server, start } = budgetOf(0, 100_000 * newcomer);
  const asked = vi.fn();
  for (let count = 0; count < 1_000; count += 1) {
    const one = new StubServer('a', count + 1);
    const workspace = {
      get slots() {
        asked();
        return [one];
      },
    };
    budget.add(workspace, 500);
    one.running = true;
    await budget.admit(one, new CancelSource());
    one.release = budget.watch.watch(one.pid, 500, () => {});
    one.end();
    budget.delete(workspace);
  }
  asked.mockClear();
  expect(budget.use).toEqual({ servers: 0, used: 0, most: 50_000 * newcomer });
  await start(server('b'));
  expect(asked).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(1);
});
