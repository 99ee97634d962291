import { type Call, cancelSignalOf, until, within } from '../../../core/call.ts';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import type { Log } from '../../../core/log.ts';
import { type CancelSignal, CancelSource } from '../../../core/runtime/cancellation.ts';
import type { Daemon } from '../../../platform/processes/daemons.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';
import type { Change } from '../../../workspace/workspace.ts';
import { breakerOpen, stillStarting, stopped } from '../errors/server-errors.ts';
import type { Exit } from '../process/process-exit.ts';
import type { ServerProcess } from '../process/server-process.ts';
import type { Session } from './session.ts';

/** Starts the sessions of one slot, one at a time, as the restart policy allows; records how they ended. */
export class SessionSupervisor {
  lastError: LspanError | undefined;
  lastExit: Exit | undefined;
  /** Why lspan stopped the latest session, if that was its own decision; until the next start. */
  stoppedBecause: string | undefined;
  readonly #definition: ServerDefinition;
  readonly #start: (signal: CancelSignal) => Promise<Session>;
  readonly #log: Log;
  readonly #policy = new RestartPolicy();
  #session: Session | undefined;
  #process: ServerProcess | undefined;
  /** The processes of the start that is under way: how one ends matters only if the start fails. */
  readonly #attempts = new Set<ServerProcess>();
  #attemptExit: Exit | undefined;
  #starting: Starting | undefined;
  #closed = false;
  #unheard: Change[] = [];
  #daemons: readonly Daemon[] = [];

  constructor(definition: ServerDefinition, start: (signal: CancelSignal) => Promise<Session>, log: Log) {
    this.#definition = definition;
    this.#start = start;
    this.#log = log;
  }

  get session(): Session | undefined {
    return this.#session;
  }

  get starting(): boolean {
    return this.#starting !== undefined;
  }

  get restarts(): number {
    return this.#policy.crashes;
  }

  /** The latest processes that left the group of a server of this slot and were ended after it. */
  get daemons(): readonly Daemon[] {
    return this.#daemons;
  }

  /** The latest process, which may have ended. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Last lines of stderr of the latest process, even if its handshake failed. */
  stderrTail(lines: number): readonly string[] {
    return this.#process?.stderrTail(lines) ?? [];
  }

  /** The error if the circuit breaker keeps the server from starting. */
  get circuitOpen(): LspanError | undefined {
    const verdict = this.#policy.verdict();
    return verdict.kind === 'open' ? breakerOpen(this.#definition, verdict.time, this.lastError) : undefined;
  }

  /** Milliseconds until the circuit breaker allows a start; 0 if it is not open. */
  get circuitOpenFor(): number {
    const verdict = this.#policy.verdict();
    return verdict.kind === 'open' ? verdict.time : 0;
  }

  /** Returns the live session or starts one; the start outlives the call that began it. */
  async obtain(call: Call): Promise<Session> {
    if (this.#session?.alive) return this.#session;
    cancelSignalOf(call).throwIfAborted();
    if (this.#closed) throw new LspanError('cancelled', 'lspan is stopping.');
    this.#starting ??= this.#begin(call);
    const { promise, since } = this.#starting;
    return until(promise, cancelSignalOf(call)).catch((error: unknown) => {
      if (error instanceof LspanError && error.code === 'timed_out')
        throw stillStarting(this.#definition, since);
      throw error;
    });
  }

  /** Registers a process as soon as it runs. */
  adopt(process: ServerProcess): void {
    this.#process = process;
    this.#attempts.add(process);
    process.exited.then((exit) => {
      if (this.#attempts.has(process)) this.#attemptExit = exit;
      else this.lastExit = exit;
      this.#daemons = [...this.#daemons, ...exit.daemons].slice(-limits.daemonsShown);
    });
  }

  /** Notifies a running server of changes on the disk; one that is starting is notified afterwards. */
  note(changes: readonly Change[]): void {
    if (this.#starting) this.#unheard.push(...changes);
    this.#session?.note(changes);
  }

  /** Gives up the session, which the caller must stop. */
  release(): Session | undefined {
    const session = this.#session;
    this.#session = undefined;
    return session;
  }

  async stop(options: { readonly hurried?: boolean }): Promise<void> {
    if (this.#starting) await this.#giveUp(this.#starting);
    const session = this.release();
    // Do not show a server as crashed that was well when it was stopped.
    if (session?.alive) this.lastError = undefined;
    await session?.stop(options);
  }

  /** Ends the session, or its start, with an error that counts as a crash. */
  fail(error: LspanError): void {
    this.#starting?.end.abort(error);
    this.#session?.fail(error);
  }

  /** Prevents any further start. */
  close(): void {
    this.#closed = true;
  }

  /** Forgets the crashes, for a requested restart. */
  forgive(): void {
    this.#policy.reset();
  }

  #begin(call: Call): Starting {
    call.report(`Starting ${this.#definition.id}`);
    this.stoppedBecause = undefined;
    const end = new CancelSource();
    const promise = this.#startAgain(end).finally(() => {
      this.#starting = undefined;
    });
    return { promise, since: performance.now(), end };
  }

  async #giveUp({ promise, end }: Starting): Promise<void> {
    end.abort(stopped(this.#definition));
    await promise.catch(() => {});
  }

  async #startAgain(signal: CancelSignal): Promise<Session> {
    const { circuitOpen } = this;
    if (circuitOpen) throw circuitOpen;
    const verdict = this.#policy.verdict();
    if (verdict.kind === 'wait') await within(new Promise<never>(() => {}), verdict.time, signal);
    const session = await this.#start(signal).catch((error: unknown) => {
      this.lastExit = this.#endAttempts() ?? this.lastExit;
      this.#noteFailure(error);
      throw error;
    });
    this.#session = session;
    // An attempt before the one that succeeded is no crash.
    this.#endAttempts();
    session.note(this.#unheard.splice(0));
    session.ended.then((reason) => {
      if (!session.crashed) return;
      this.#noteFailure(reason);
      this.#log('warn', 'server_crashed', { server: this.#definition.id, error: reason });
    });
    return session;
  }

  /** Returns how the latest process of a start ended that did not become the session. */
  #endAttempts(): Exit | undefined {
    const exit = this.#attemptExit;
    this.#attempts.clear();
    this.#attemptExit = undefined;
    return exit;
  }

  /** Counts only the server's own failures, not a busy system or the end of lspan. */
  #noteFailure(error: unknown): void {
    if (!(error instanceof LspanError) || blameless.has(error.code)) return;
    this.lastError = error;
    if (error.code !== 'not_installed') this.#policy.crashed();
  }
}

const blameless: ReadonlySet<string> = new Set(['busy', 'cancelled', 'refused']);

interface Starting {
  readonly promise: Promise<Session>;
  readonly since: number;
  /** Aborts the start. */
  readonly end: CancelSource;
}

/** When a crashed server may be started: now, after a backoff, or when the open circuit breaker allows it. */
type RestartVerdict =
  | { readonly kind: 'start' }
  | { readonly kind: 'wait'; readonly time: number }
  | { readonly kind: 'open'; readonly time: number };

/** Counts crashes: restarts back off, and after too many in a row a circuit breaker opens for a while. */
export class RestartPolicy {
  readonly #now: () => number;
  readonly #random: () => number;
  #crashes: number[] = [];
  #notBefore = 0;
  #total = 0;

  constructor(now: () => number = () => performance.now(), random: () => number = Math.random) {
    this.#now = now;
    this.#random = random;
  }

  /** Total number of crashes; `reset` does not change it. */
  get crashes(): number {
    return this.#total;
  }

  crashed(): void {
    const now = this.#now();
    this.#total += 1;
    this.#crashes = [...this.#crashes.filter((at) => now - at < limits.restart.window), now];
    const most = Math.min(
      limits.restart.backoffFirst * 2 ** (this.#crashes.length - 1),
      limits.restart.backoffMost,
    );
    // Full jitter, so that servers that crashed together do not restart together.
    this.#notBefore = now + (this.#isOpen ? limits.restart.halfOpen : most * this.#random());
  }

  verdict(): RestartVerdict {
    const time = this.#notBefore - this.#now();
    if (time <= 0) return { kind: 'start' };
    return this.#isOpen ? { kind: 'open', time } : { kind: 'wait', time };
  }

  /** Forgets the crashes, for a requested restart. */
  reset(): void {
    this.#crashes = [];
    this.#notBefore = 0;
  }

  get #isOpen(): boolean {
    return this.#crashes.length >= limits.restart.crashes;
  }
}
