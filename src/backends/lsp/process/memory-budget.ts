import { within } from '../../../core/call.ts';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import type { CancelSignal } from '../../../core/runtime/cancellation.ts';
import { FairLock } from '../../../core/runtime/fair-lock.ts';
import { machineMemory, memoryPressure } from '../../../platform/processes/machine-memory.ts';
import { repeatedTreeUse, type treeUse } from '../../../platform/processes/process-facts.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';
import {
  budgetExceeded,
  type MemoryUse,
  noMemoryLeft,
  stoppedForMemory,
  stoppedForPressure,
} from '../errors/memory-errors.ts';
import { MemoryWatch } from './memory-watch.ts';

/**
 * One limit for the memory of all servers of a process, whatever workspaces they belong to. Idle servers go before one
 * too many starts, or when the running ones have grown too large; a busy one is ended only if no idle one is left.
 */
export class MemoryBudget {
  /** Looks at the processes of all servers that share the budget. */
  readonly watch: MemoryWatch;
  readonly #machine: () => number;
  readonly #pressure: typeof memoryPressure;
  /** Those who share the budget, each with its limit in bytes; 0 stands for a share of the machine's memory. */
  readonly #members = new Map<BudgetMember, number>();
  /** Servers with leave to start or running; one that waits for its turn holds no memory. */
  readonly #admitted = new WeakSet<BudgetedServer>();
  /** Bytes that servers were last seen to use, by the id of their definition. */
  readonly #seen = new Map<string, number>();
  /** Newcomers take turns: two that made room at once would each count the other. */
  readonly #turns = new FairLock();
  /** Newcomers that wait for a busy server to become idle. */
  readonly #waiting = new Set<() => void>();

  constructor({
    use = repeatedTreeUse(),
    machine = machineMemory,
    pressure = memoryPressure,
  }: MemorySources = {}) {
    this.watch = new MemoryWatch(use, () => this.#onLooked());
    this.#machine = machine;
    this.#pressure = pressure;
  }

  /** Counts the servers of a member until it is deleted. The smallest limit of all members applies. */
  add(member: BudgetMember, most: number): void {
    this.#members.set(member, most);
  }

  delete(member: BudgetMember): void {
    this.#members.delete(member);
  }

  /** What all servers use, as last measured. */
  get use(): MemoryUse {
    return this.#useOf(this.#servers(), (server) => this.#measured(server) ?? 0);
  }

  /** Resolves when there is memory for a server, after idle ones were stopped for it; rejects if busy ones keep it. */
  async admit(newcomer: BudgetedServer, signal: CancelSignal): Promise<void> {
    this.#admitted.delete(newcomer);
    const since = performance.now();
    for (;;) {
      // Before the attempt, so that nothing that changes during it is missed.
      const changed = new Promise<void>((resolve) => void this.#waiting.add(resolve));
      await this.#turns.enter('alone', signal);
      const refused = await this.#makeRoom(newcomer, signal).finally(() => this.#turns.leave('alone'));
      if (!refused) return;
      const left = since + limits.memoryBudget.wait - performance.now();
      if (left <= 0) throw refused;
      await within(changed, left, signal);
    }
  }

  /** Lets newcomers try again: a question has ended. */
  wake(): void {
    for (const resume of this.#waiting) resume();
    this.#waiting.clear();
  }

  /** Stops idle servers until there is memory for a newcomer, and admits it; otherwise returns why there is none. */
  async #makeRoom(newcomer: BudgetedServer, signal: CancelSignal): Promise<LspanError | undefined> {
    const { id } = newcomer.definition;
    for (;;) {
      signal.throwIfAborted();
      const leaving = this.#inTheWayOf(newcomer);
      if (leaving instanceof LspanError) return leaving;
      if (leaving.length === 0) break;
      const needed = this.#estimate({ id });
      const reason = stoppedForMemory(this.#expectedOf(this.#servers()), { id, needed });
      await Promise.all(leaving.map((server) => server.makeRoom(reason)));
    }
    this.#admitted.add(newcomer);
    return undefined;
  }

  /** Returns the idle servers that must go for a newcomer, the least recently used first; an error if all are not enough. */
  #inTheWayOf({ definition }: BudgetedServer): readonly BudgetedServer[] | LspanError {
    const servers = this.#servers();
    const needed = this.#estimate(definition);
    const all = this.#expectedOf(servers);
    if (all.used + needed <= all.most) return [];
    const busy = this.#expectedOf(servers.filter((server) => server.busy));
    // Alone, it may start whatever it needs: the estimate may be wrong.
    if (busy.servers > 0 && busy.used + needed > busy.most) return noMemoryLeft(definition, needed, busy);
    return toStop(servers, all.used + needed - all.most, (server) => this.#expected(server));
  }

  /** Only measured memory counts here: an estimate may be wrong, and a running server would be stopped for it. */
  #onLooked(): void {
    const servers = this.#servers();
    this.#learn(servers);
    const { use } = this;
    const idle = leastRecentlyUsed(servers);
    if (use.used > use.most && idle.length === 0) this.#endLargest(servers, use);
    else if (use.used > use.most) {
      const leaving = toStop(servers, use.used - use.most, (server) => this.#measured(server) ?? 0);
      for (const server of leaving) void server.makeRoom(stoppedForMemory(use));
    } else if (idle[0] && isUnused(idle[0]) && this.#isUnderPressure()) {
      void idle[0].makeRoom(stoppedForPressure);
    }
  }

  /** The largest uses more than its share, since all together use more than all shares. */
  #endLargest(servers: readonly BudgetedServer[], use: MemoryUse): void {
    const sizes = servers.map((server) => ({ server, used: this.#measured(server) ?? 0 }));
    const [largest] = sizes.sort((a, b) => b.used - a.used);
    if (!largest) return;
    const { server, used } = largest;
    server.exceed(budgetExceeded(server.definition, used, use));
    // It may start again with the next question; that it will grow as much is not certain.
    this.#seen.delete(server.definition.id);
  }

  #isUnderPressure(): boolean {
    const { some, full } = this.#pressure() ?? { some: 0, full: 0 };
    const { pressure } = limits.memoryBudget;
    return some > pressure.some || full > pressure.full;
  }

  /** Remembers what servers of each definition use; one that still loads can only raise it. */
  #learn(servers: readonly BudgetedServer[]): void {
    const isLoading = ({ pid }: BudgetedServer) => pid !== undefined && this.watch.isLoading(pid);
    const uses = servers.map((server) => ({
      id: server.definition.id,
      used: this.#measured(server) ?? 0,
      isLoading: isLoading(server),
    }));
    const settled = uses.filter((one) => !one.isLoading && one.used > 0);
    for (const { id } of settled) this.#seen.delete(id);
    for (const { id, used } of settled) this.#seen.set(id, Math.max(used, this.#seen.get(id) ?? 0));
    for (const { id, used } of uses) if (used > this.#estimate({ id })) this.#seen.set(id, used);
  }

  #estimate({ id }: Pick<ServerDefinition, 'id'>): number {
    return this.#seen.get(id) ?? limits.memoryBudget.newcomer;
  }

  #measured({ pid }: BudgetedServer): number | undefined {
    return pid === undefined ? undefined : this.watch.lastUseOf(pid);
  }

  /** What a server uses, or will use once it has loaded. */
  #expected(server: BudgetedServer): number {
    const { pid, definition } = server;
    const used = this.#measured(server);
    if (pid !== undefined && used !== undefined && !this.watch.isLoading(pid)) return used;
    return Math.max(used ?? 0, this.#estimate(definition));
  }

  #expectedOf(servers: readonly BudgetedServer[]): MemoryUse {
    return this.#useOf(servers, (server) => this.#expected(server));
  }

  #useOf(servers: readonly BudgetedServer[], sizeOf: SizeOf): MemoryUse {
    const used = servers.reduce((sum, server) => sum + sizeOf(server), 0);
    return { servers: servers.length, used, most: this.#most() };
  }

  #servers(): readonly BudgetedServer[] {
    const all = [...this.#members.keys()].flatMap(({ slots }) => slots);
    return all.filter((server) => server.running && this.#admitted.has(server));
  }

  #most(): number {
    const given = [...this.#members.values()].filter((most) => most > 0);
    const share = Math.floor(this.#machine() * limits.memoryBudget.share);
    return Math.min(...given, ...(given.length < this.#members.size || given.length === 0 ? [share] : []));
  }
}

/** A server as the budget sees it. */
export interface BudgetedServer {
  readonly definition: Pick<ServerDefinition, 'id'>;
  /** True from the beginning of its start. */
  readonly running: boolean;
  readonly busy: boolean;
  /** On the clock of `performance.now()`. */
  readonly lastUsed: number;
  /** The number of its process, if it has one. */
  readonly pid: number | undefined;
  /** Stops it, idle as it is. Never rejects. */
  makeRoom(reason: string): Promise<void>;
  /** Ends it, busy as it is. */
  exceed(error: LspanError): void;
}

/** Servers that count: those of a workspace. */
interface BudgetMember {
  readonly slots: readonly BudgetedServer[];
}

/** Where the figures come from; by default, the system. */
interface MemorySources {
  readonly use?: typeof treeUse;
  readonly machine?: () => number;
  readonly pressure?: typeof memoryPressure;
}

type SizeOf = (server: BudgetedServer) => number;

function leastRecentlyUsed(servers: readonly BudgetedServer[]): readonly BudgetedServer[] {
  return servers.filter(({ busy }) => !busy).sort((a, b) => a.lastUsed - b.lastUsed);
}

/** Returns the idle servers to stop, the least recently used first, until these bytes are free or none is left. */
function toStop(
  servers: readonly BudgetedServer[],
  excess: number,
  sizeOf: SizeOf,
): readonly BudgetedServer[] {
  let left = excess;
  return leastRecentlyUsed(servers).filter((server) => {
    const isNeeded = left > 0;
    left -= sizeOf(server);
    return isNeeded;
  });
}

/** False for a server between two calls: under pressure, to start it again and again would only add to it. */
function isUnused({ lastUsed }: BudgetedServer): boolean {
  return performance.now() - lastUsed > limits.memoryBudget.pressure.idle;
}
