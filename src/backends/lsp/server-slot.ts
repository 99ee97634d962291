import picomatch from 'picomatch';
import { beginCall, type Call, until, within } from '../../core/call.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Log } from '../../core/log.ts';
import type { Change } from '../../workspace/workspace.ts';
import { RestartPolicy } from './restart-policy.ts';
import type { ServerDefinition, Service } from './server-definition.ts';
import { breakerOpen, stillStarting, stopped } from './server-troubles.ts';
import type { Session } from './session.ts';

/** Starts a session for a slot; gives up, and leaves no process, when the signal aborts. */
export type StartSession = (slot: ServerSlot, signal: AbortSignal) => Promise<Session>;

/** The place of one server in one root: it starts a session when needed, again after a crash, and stops an idle one. */
export class ServerSlot {
  readonly definition: ServerDefinition;
  readonly root: string;
  lastUsed = 0;
  lastError: LspanError | undefined;
  readonly #start: StartSession;
  readonly #log: Log;
  readonly #policy = new RestartPolicy();
  #session: Session | undefined;
  #starting: Starting | undefined;
  #busy = 0;
  readonly #idleTime: number;
  #idle: NodeJS.Timeout | undefined;
  #closed = false;
  #outdated = false;
  #unheard: Change[] = [];
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
    this.#start = start;
    this.#log = log;
    this.#idleTime = idleTime;
    const globs = definition.restartsOn?.map((glob) => `**/${glob}`) ?? [];
    this.#outdates = globs.length > 0 ? picomatch(globs, { dot: true }) : () => false;
  }

  get session(): Session | undefined {
    return this.#session;
  }

  get busy(): boolean {
    return this.#busy > 0 || this.#starting !== undefined;
  }

  get running(): boolean {
    return this.#starting !== undefined || this.#session?.alive === true;
  }

  get starting(): boolean {
    return this.#starting !== undefined;
  }

  get restarts(): number {
    return this.#policy.crashes;
  }

  /** Why the server is not started for a while, where that is so. */
  get leftAlone(): LspanError | undefined {
    const verdict = this.#policy.verdict();
    return verdict.kind === 'open' ? breakerOpen(this.definition, verdict.time, this.lastError) : undefined;
  }

  /** Works with the session; once more on a new one if it crashed meanwhile, since all that is asked are reads. */
  async use<T>(
    call: Call,
    work: (session: Session) => Promise<T>,
  ): Promise<{ readonly value: T; readonly restarted: boolean }> {
    this.#busy += 1;
    clearTimeout(this.#idle);
    let session: Session | undefined;
    try {
      session = await this.obtain(call);
      return { value: await work(session), restarted: false };
    } catch (error) {
      if (session?.crashed !== true || call.signal.aborted) throw error;
      this.#log('warn', 'server_restarting', { server: this.definition.id, error });
      return { value: await work(await this.obtain(call)), restarted: true };
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
  ): Promise<{ readonly value: T; readonly restarted: boolean }> {
    const time = this.definition.timeouts?.[service];
    if (time === undefined) return this.use(call, (session) => work(session, call));
    const inner = beginCall(
      { time: Math.min(time, call.deadline - performance.now()), report: call.report },
      call.signal,
    );
    return this.use(inner, (session) => work(session, inner)).finally(() => inner[Symbol.dispose]());
  }

  /** The live session, started if there is none; the start outlives the call that asked for it first. */
  async obtain(call: Call): Promise<Session> {
    if (this.#outdated && this.#busy <= 1) this.#renew();
    if (this.#session?.alive) return this.#session;
    call.signal.throwIfAborted();
    if (this.#closed) throw new LspanError('cancelled', 'lspan is ending.');
    this.#starting ??= this.#beginStart(call);
    const { promise, since } = this.#starting;
    return until(promise, call.signal).catch((error: unknown) => {
      if (error instanceof LspanError && error.code === 'timed_out')
        throw stillStarting(this.definition, since);
      throw error;
    });
  }

  /** Tells a running server of changes on the disk; one that is just starting hears of them afterwards. */
  note(changes: readonly Change[]): void {
    if (this.#starting) this.#unheard.push(...changes);
    this.#session?.note(changes);
    if (changes.some(({ path }) => this.#outdates(path))) this.#outdated = this.running;
  }

  async stop(options: { readonly hurried?: boolean } = {}): Promise<void> {
    clearTimeout(this.#idle);
    if (this.#starting) await this.#giveUp(this.#starting);
    const session = this.#session;
    this.#session = undefined;
    // A server that was well when it was stopped is not shown as crashed.
    if (session?.alive) this.lastError = undefined;
    await session?.stop(options);
  }

  /** Stops for good. */
  async close(options: { readonly hurried?: boolean }): Promise<void> {
    this.#closed = true;
    await this.stop(options);
  }

  async restart(call: Call): Promise<void> {
    await this.stop();
    this.#policy.reset();
    await this.obtain(call);
  }

  /** The libraries changed under the server: the next question goes to a new one. */
  #renew(): void {
    const old = this.#session;
    this.#outdated = false;
    this.#session = undefined;
    this.#log('info', 'server_renewed', { server: this.definition.id });
    old?.stop({ hurried: true }).catch((error) => this.#log('warn', 'stop_failed', { error }));
  }

  #beginStart(call: Call): Starting {
    call.report(`Starting ${this.definition.id}`);
    const end = new AbortController();
    const promise = this.#startAgain(end.signal).finally(() => {
      this.#starting = undefined;
    });
    return { promise, since: performance.now(), end };
  }

  async #giveUp({ promise, end }: Starting): Promise<void> {
    end.abort(stopped(this.definition));
    await promise.catch(() => {});
  }

  async #startAgain(signal: AbortSignal): Promise<Session> {
    const { leftAlone } = this;
    if (leftAlone) throw leftAlone;
    const verdict = this.#policy.verdict();
    if (verdict.kind === 'wait') await within(new Promise<never>(() => {}), verdict.time, signal);
    const session = await this.#start(this, signal).catch((error: unknown) => {
      this.#noteFailure(error);
      throw error;
    });
    this.#session = session;
    session.note(this.#unheard.splice(0));
    session.ended.then((reason) => {
      if (!session.crashed) return;
      this.#noteFailure(reason);
      this.#log('warn', 'server_crashed', { server: this.definition.id, error: reason });
    });
    return session;
  }

  /** Only the server's own failures count against it, not that the system was busy or that we were ending. */
  #noteFailure(error: unknown): void {
    if (!(error instanceof LspanError) || error.code === 'busy' || error.code === 'cancelled') return;
    this.lastError = error;
    if (error.code !== 'not_installed') this.#policy.crashed();
  }

  #rest(): void {
    this.lastUsed = performance.now();
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (!this.busy) this.stop().catch((error) => this.#log('warn', 'stop_failed', { error }));
    }, this.#idleTime).unref();
  }
}

interface Starting {
  readonly promise: Promise<Session>;
  readonly since: number;
  /** Gives the start up. */
  readonly end: AbortController;
}
