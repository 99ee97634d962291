import { type Call, cancelSignalOf, until, withinPart } from '../../../core/call.ts';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import type { Log } from '../../../core/log.ts';
import type { CancelSignal } from '../../../core/runtime/cancellation.ts';
import { FairLock } from '../../../core/runtime/fair-lock.ts';
import type { Trust } from '../../../core/trust.ts';
import type { ServerDefinition, Service } from '../../../servers/definition.ts';
import { languageOf } from '../../../servers/language-of.ts';
import type { Change } from '../../../workspace/workspace.ts';
import { outdating } from '../documents/file-interest.ts';
import { keptWaiting, type RestartCause, stopped } from '../errors/server-errors.ts';
import type { BudgetedServer } from '../process/memory-budget.ts';
import type { Session } from './session.ts';
import { SessionSupervisor } from './session-supervisor.ts';

/** Starts a session for a slot; gives up, and leaves no process, when the signal aborts. */
export type StartSession = (slot: ServerSlot, signal: CancelSignal) => Promise<Session>;

/** One server in one root: runs work on its session, on a new one after a crash, and stops an idle one. */
export class ServerSlot implements BudgetedServer {
  readonly definition: ServerDefinition;
  readonly root: string;
  readonly supervisor: SessionSupervisor;
  lastUsed = 0;
  readonly #lock = new FairLock();
  /** The lease that has exclusive use of the server. */
  #lease: OverlayLease | undefined;
  readonly #log: Log;
  #busy = 0;
  readonly #idleTime: number;
  readonly #onRest: () => void;
  #idle: NodeJS.Timeout | undefined;
  #outdated = false;
  /** True if the latest session was ended because all servers used too much memory, and no question came since. */
  #exceeded = false;
  /** Trust under which the server was last used. */
  #trusted: boolean | undefined;
  readonly #outdates: (path: string) => boolean;

  constructor(
    definition: ServerDefinition,
    root: string,
    start: StartSession,
    log: Log,
    /** Milliseconds without a question after which the server is stopped. */
    idleTime: number = limits.servers.idle,
    /** Called whenever a question has ended, or a lease. */
    onRest: () => void = () => {},
  ) {
    this.definition = definition;
    this.root = root;
    this.supervisor = new SessionSupervisor(definition, (signal) => start(this, signal), log);
    this.#log = log;
    this.#idleTime = idleTime;
    this.#onRest = onRest;
    this.#outdates = outdating(definition);
  }

  get session(): Session | undefined {
    return this.supervisor.session;
  }

  get busy(): boolean {
    return this.#busy > 0 || this.#lease !== undefined || this.supervisor.starting;
  }

  /** True if a question about the text on the disk would not have to wait. */
  get open(): boolean {
    return this.#lock.isOpen;
  }

  get running(): boolean {
    return this.supervisor.starting || this.session?.alive === true;
  }

  /** The process of the server, while it runs. */
  get pid(): number | undefined {
    return this.running ? this.supervisor.pid : undefined;
  }

  /** True if the server must be restarted because something that it depends on has changed. */
  get outdated(): boolean {
    return this.#isOutdated && this.running;
  }

  get #isOutdated(): boolean {
    return this.#outdated || this.session?.documents.isOutdated === true;
  }

  /** The error if the circuit breaker keeps the server from starting. */
  get circuitOpen(): LspanError | undefined {
    return this.supervisor.circuitOpen;
  }

  /** Waits for running questions to end, then gives the lease exclusive use of the server. */
  async acquire(lease: OverlayLease, call: Call): Promise<void> {
    const entered = this.#lock.enter('alone', cancelSignalOf(call), call.scope);
    await entered.catch((error: unknown) => keptWaiting(this.definition, 'other questions', error));
    this.#lease = lease;
  }

  release(): void {
    this.#lease = undefined;
    this.#lock.leave('alone');
    this.#rest();
  }

  /** Runs work on the session when its turn comes; a lease that has exclusive use does not wait. */
  async use<T>(call: Call, work: (session: Session) => Promise<T>, lease?: OverlayLease): Promise<Worked<T>> {
    if (lease)
      return this.#use(call, async (session) => {
        await until(lease.apply(session), cancelSignalOf(call));
        return work(session);
      });
    if (!this.open) call.report(`Waiting for ${this.definition.id}, which is busy with unsaved text`);
    const entered = this.#lock.enter('shared', cancelSignalOf(call), call.scope);
    await entered.catch((error: unknown) =>
      keptWaiting(this.definition, this.open ? 'other questions' : 'unsaved text', error),
    );
    return this.#use(call, work).finally(() => this.#lock.leave('shared', call.scope));
  }

  /** Runs work for another server, out of turn: callers ahead in the queue may be waiting for that server. */
  async assist<T>(
    asking: Session,
    call: Call,
    work: (session: Session, call: Call) => Promise<T>,
  ): Promise<Worked<T>> {
    const lease = this.#lease;
    if (lease && !lease.holds(asking)) return this.use(call, (session) => work(session, call));
    if (lease) return lease.run(call, (inner) => this.use(inner, (session) => work(session, inner), lease));
    this.#lock.join();
    return this.#use(call, (session) => work(session, call)).finally(() => this.#lock.leave('shared'));
  }

  /** Retries once on a new session after a crash, which is safe because every question only reads. */
  async #use<T>(call: Call, work: (session: Session) => Promise<T>): Promise<Worked<T>> {
    this.#busy += 1;
    clearTimeout(this.#idle);
    let session: Session | undefined;
    try {
      session = await this.obtain(call);
      const restarted = this.#exceeded ? 'memory' : undefined;
      this.#exceeded = false;
      return { value: await observed(session, work), restarted };
    } catch (error) {
      if (session?.crashed !== true || cancelSignalOf(call).aborted || wouldRepeat(error)) throw error;
      this.#log('warn', 'server_restarting', { server: this.definition.id, error });
      const restarted = isFailedStart(session) ? undefined : 'crash';
      return { value: await observed(await this.obtain(call), work), restarted };
    } finally {
      this.#busy -= 1;
      this.#rest();
    }
  }

  /** Like `use`, but within the definition's timeout for a service. */
  async useWithin<T>(
    service: Service,
    call: Call,
    work: (session: Session, call: Call) => Promise<T>,
    lease?: OverlayLease,
  ): Promise<Worked<T>> {
    const time = this.definition.timeouts?.[service];
    if (time === undefined) return this.use(call, (session) => work(session, call), lease);
    return withinPart(call, { most: time }, (part) =>
      this.use(part, (session) => work(session, part), lease),
    );
  }

  /** Returns the live session or starts one; replaces an outdated one that has no other user. */
  obtain(call: Call): Promise<Session> {
    const isFree = this.#busy <= 1 || this.session?.alive !== true;
    // A session that is just starting may have read its dependencies already.
    if (this.#isOutdated && isFree && !this.supervisor.starting) this.#renew();
    return this.supervisor.obtain(call);
  }

  /** Restarts the idle timer, for a server that was of use without being asked. */
  postponeIdleStop(): void {
    if (!this.busy && this.running) this.#rest();
  }

  note(changes: readonly Change[]): void {
    this.supervisor.note(changes);
    // Unsaved text is not on the disk; the server receives it like any open document.
    const onDisk = changes.filter(({ kind, unsaved }) => !unsaved || kind === 'deleted');
    if (this.#overwhelm(changes) || onDisk.some(({ path }) => this.#outdates(path))) {
      this.#outdated = this.running;
    }
  }

  async stop(options: { readonly hurried?: boolean } = {}): Promise<void> {
    clearTimeout(this.#idle);
    await this.supervisor.stop(options);
  }

  /** Stops for good. */
  async close(options: { readonly hurried?: boolean }): Promise<void> {
    this.supervisor.close();
    // A caller that was still waiting for the start may have set the idle timer meanwhile.
    await this.stop(options).finally(() => clearTimeout(this.#idle));
  }

  async restart(call: Call): Promise<void> {
    await this.stop();
    this.supervisor.forgive();
    await this.obtain(call);
    this.#rest();
  }

  /** Stops the server at once if trust was withdrawn; if it was granted, replaces it when it is unused. */
  onTrustChanged({ granted, reason }: Trust): void {
    const before = this.#trusted ?? granted;
    this.#trusted = granted;
    if (before === granted || !this.running) return;
    if (granted) this.#outdated = true;
    else {
      this.#log('warn', 'server_withdrawn', { server: this.definition.id, reason });
      this.stop({ hurried: true }).catch((error) => this.#log('warn', 'stop_failed', { error }));
    }
  }

  /** Stops the server at once because its folder is not the one any more in which it was started. */
  onRootLost(reason: string): void {
    this.#log('warn', 'server_withdrawn', { server: this.definition.id, root: this.root, reason });
    this.stop({ hurried: true }).catch((error) => this.#log('warn', 'stop_failed', { error }));
    this.supervisor.stoppedBecause = reason;
  }

  async makeRoom(reason: string): Promise<void> {
    this.#log('info', 'server_made_room', { server: this.definition.id, root: this.root, reason });
    const stopping = this.stop();
    this.supervisor.stoppedBecause = reason;
    await stopping.catch((error) => this.#log('warn', 'stop_failed', { error }));
  }

  exceed(error: LspanError): void {
    this.#exceeded = true;
    this.supervisor.fail(error);
  }

  /** A server that reads only open documents is better restarted than sent very many. */
  #overwhelm(changes: readonly Change[]): boolean {
    const { definition } = this;
    if (definition.sync?.readsOnlyOpen !== true || changes.length <= limits.openCreated) return false;
    const served = changes.filter(({ path }) => languageOf(path, definition) !== undefined);
    return served.length > limits.openCreated;
  }

  #renew(): void {
    this.#outdated = false;
    this.#log('info', 'server_renewed', { server: this.definition.id });
    const old = this.supervisor.release();
    old?.stop({ hurried: true }).catch((error) => this.#log('warn', 'stop_failed', { error }));
  }

  #rest(): void {
    this.lastUsed = performance.now();
    this.#onRest();
    clearTimeout(this.#idle);
    if (!this.running) return;
    this.#idle = setTimeout(() => {
      if (!this.busy) this.stop().catch((error) => this.#log('warn', 'stop_failed', { error }));
    }, this.#idleTime).unref();
  }
}

/** Checks for a hang afterwards if the server sends nothing during the work. */
async function observed<T>(session: Session, work: (session: Session) => Promise<T>): Promise<T> {
  const value = await work(session).finally(session.hangDetector.observe());
  // A server that is being stopped may answer nothing for that reason alone.
  if (!session.alive && !session.crashed) throw stopped(session.definition);
  return value;
}

/** A program that takes several attempts may also give up after its handshake: while it knew nothing, nothing is lost. */
function isFailedStart({ definition, readiness }: Session): boolean {
  return (definition.program.startAttempts ?? 1) > 1 && !readiness.isReady;
}

/** A question that exceeded the memory limit would most likely do so in a new process too. */
function wouldRepeat(error: unknown): boolean {
  return error instanceof LspanError && error.code === 'memory_limit';
}

/** The result of work with a session, and why it was done on a new one instead of the one before. */
interface Worked<T> {
  readonly value: T;
  readonly restarted: RestartCause | undefined;
}

/** Runs work on the session of a slot, shared or with a lease. */
export type UseSlot = <T>(
  slot: ServerSlot,
  service: Service,
  call: Call,
  work: (session: Session, call: Call) => Promise<T>,
) => Promise<Worked<T>>;

/** Exclusive use of servers for a while. */
export interface OverlayLease {
  /** Returns whether a session belongs to one of the leased servers. */
  holds(session: Session): boolean;
  /** Brings a session into the state that the lease is for, before it is asked. */
  apply(session: Session): Promise<void>;
  /** Runs work until the call or the lease ends; the lease is not given back before the work has ended. */
  run<T>(call: Call, work: (inner: Call) => Promise<T>): Promise<T>;
}

/** Shares a server with all questions about the text on the disk. */
export const useShared: UseSlot = (slot, service, call, work) => slot.useWithin(service, call, work);
