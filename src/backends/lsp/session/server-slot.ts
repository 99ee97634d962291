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
import { keptWaiting, stopped } from '../errors/server-errors.ts';
import type { Session } from './session.ts';
import { SessionSupervisor } from './session-supervisor.ts';

/** Starts a session for a slot; gives up, and leaves no process, when the signal aborts. */
export type StartSession = (slot: ServerSlot, signal: CancelSignal) => Promise<Session>;

/** The place of one server in one root: it works with a session, on a new one after a crash, and stops an idle one. */
export class ServerSlot {
  readonly definition: ServerDefinition;
  readonly root: string;
  readonly supervisor: SessionSupervisor;
  lastUsed = 0;
  readonly #lock = new FairLock();
  /** Who has it alone. */
  #lease: OverlayLease | undefined;
  readonly #log: Log;
  #busy = 0;
  readonly #idleTime: number;
  #idle: NodeJS.Timeout | undefined;
  #outdated = false;
  /** Under which trust it was last used. */
  #trusted: boolean | undefined;
  readonly #outdates: (path: string) => boolean;

  constructor(
    definition: ServerDefinition,
    root: string,
    start: StartSession,
    log: Log,
    /** Milliseconds without a question after which the server is stopped. */
    idleTime: number = limits.servers.idle,
  ) {
    this.definition = definition;
    this.root = root;
    this.supervisor = new SessionSupervisor(definition, (signal) => start(this, signal), log);
    this.#log = log;
    this.#idleTime = idleTime;
    this.#outdates = outdating(definition);
  }

  get session(): Session | undefined {
    return this.supervisor.session;
  }

  get busy(): boolean {
    return this.#busy > 0 || this.#lease !== undefined || this.supervisor.starting;
  }

  /** Whether a question about the disk's text would not have to wait. */
  get open(): boolean {
    return this.#lock.isOpen;
  }

  get running(): boolean {
    return this.supervisor.starting || this.session?.alive === true;
  }

  /** Whether what a running server depends on has changed, for which it is to be started anew. */
  get outdated(): boolean {
    return this.#outdated && this.running;
  }

  /** Why the server is not started for a while, where that is so. */
  get circuitOpen(): LspanError | undefined {
    return this.supervisor.circuitOpen;
  }

  /** Lets nobody but the lease ask the server, once those who do have their answers. */
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

  /** Works with the session when it is one's turn, which it is for the lease that has it. */
  async use<T>(call: Call, work: (session: Session) => Promise<T>, lease?: OverlayLease): Promise<Worked<T>> {
    if (lease)
      return this.#use(call, async (session) => {
        await until(lease.apply(session), cancelSignalOf(call));
        return work(session);
      });
    if (!this.open) call.report(`Waiting for ${this.definition.id}, which is asked about other text`);
    const entered = this.#lock.enter('shared', cancelSignalOf(call), call.scope);
    await entered.catch((error: unknown) =>
      keptWaiting(this.definition, this.open ? 'other questions' : 'text that is not on the disk', error),
    );
    return this.#use(call, work).finally(() => this.#lock.leave('shared', call.scope));
  }

  /** Works with the session for another server, which may be the one that those before it in the queue wait for. */
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

  /** Once more on a new session if it crashed meanwhile, since all that is asked are reads. */
  async #use<T>(call: Call, work: (session: Session) => Promise<T>): Promise<Worked<T>> {
    this.#busy += 1;
    clearTimeout(this.#idle);
    let session: Session | undefined;
    try {
      session = await this.obtain(call);
      return { value: await observed(session, work), restarted: false };
    } catch (error) {
      if (session?.crashed !== true || cancelSignalOf(call).aborted || wouldRepeat(error)) throw error;
      this.#log('warn', 'server_restarting', { server: this.definition.id, error });
      return { value: await observed(await this.obtain(call), work), restarted: true };
    } finally {
      this.#busy -= 1;
      this.#rest();
    }
  }

  /** The same within the time that the definition gives to a service. */
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

  /** The live session, started if there is none; a new one if the libraries changed under it and nobody else uses it. */
  obtain(call: Call): Promise<Session> {
    const isFree = this.#busy <= 1 || this.session?.alive !== true;
    // One that is just starting may have read what it depends on already.
    if (this.#outdated && isFree && !this.supervisor.starting) this.#renew();
    return this.supervisor.obtain(call);
  }

  /** Takes note that the server was of use though nobody had to ask it: it is not idle. */
  postponeIdleStop(): void {
    if (!this.busy && this.running) this.#rest();
  }

  /** Tells the server of changes on the disk. */
  note(changes: readonly Change[]): void {
    this.supervisor.note(changes);
    // It would not find on the disk what is held, and hears of that as of any open document.
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
    // Who was still waiting for its start has let it rest meanwhile.
    await this.stop(options).finally(() => clearTimeout(this.#idle));
  }

  async restart(call: Call): Promise<void> {
    await this.stop();
    this.supervisor.forgive();
    await this.obtain(call);
    this.#rest();
  }

  /** A server that was started under another trust goes: at once where it has ended, else when nobody uses it. */
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

  /** A server that reads only what it is sent is better started anew than sent very much. */
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
    clearTimeout(this.#idle);
    if (!this.running) return;
    this.#idle = setTimeout(() => {
      if (!this.busy) this.stop().catch((error) => this.#log('warn', 'stop_failed', { error }));
    }, this.#idleTime).unref();
  }
}

/** A server that says nothing at all during the work is examined afterwards. */
async function observed<T>(session: Session, work: (session: Session) => Promise<T>): Promise<T> {
  const value = await work(session).finally(session.hangDetector.observe());
  // What a server says that is being stopped may be nothing for that reason alone.
  if (!session.alive && !session.crashed) throw stopped(session.definition);
  return value;
}

/** The same question would most likely take the memory of a new process too. */
function wouldRepeat(error: unknown): boolean {
  return error instanceof LspanError && error.code === 'memory_limit';
}

/** What came of work with a session, and whether it was done again on a new one. */
interface Worked<T> {
  readonly value: T;
  readonly restarted: boolean;
}

/** Works with the session of a slot: as anybody does, or as who has it alone. */
export type UseSlot = <T>(
  slot: ServerSlot,
  service: Service,
  call: Call,
  work: (session: Session, call: Call) => Promise<T>,
) => Promise<Worked<T>>;

/** One who has servers alone for a while. */
export interface OverlayLease {
  /** Whether a session is of one of the servers. */
  holds(session: Session): boolean;
  /** Makes a session what the lease is for, before it is asked. */
  apply(session: Session): Promise<void>;
  /** Does something until the call or the lease ends, whichever is first; the lease goes when it has ended. */
  run<T>(call: Call, work: (inner: Call) => Promise<T>): Promise<T>;
}

/** Shares a server with everybody who asks about what is on the disk. */
export const useShared: UseSlot = (slot, service, call, work) => slot.useWithin(service, call, work);
