import type { Reply } from '../../../core/backend.ts';
import { type Call, cancelSignalOf, ending } from '../../../core/call.ts';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import { CancelSource } from '../../../core/runtime/cancellation.ts';

/** Questions in flight of one kind, by everything their answers depend on: equal keys are equal questions. */
export type InFlight<T> = Map<string, SharedRequest<Reply<T>>>;

/** Asks, or joins an identical question in flight; a caller that leaves does not affect the others. */
export async function coalesce<T>(
  flight: InFlight<T>,
  key: string,
  call: Call,
  ask: (shared: Call) => Promise<Reply<T>>,
): Promise<Reply<T>> {
  cancelSignalOf(call).throwIfAborted();
  const asked = flight.get(key);
  if (!asked?.suits(call)) return begin(flight, key, call, ask);
  const reply = await asked.answerFor(call).catch((error: unknown) => {
    if (!asked.isOutlivedBy(call) || !isOfTime(error)) throw error;
    return undefined;
  });
  // The wait for a server depends on the deadline of the first caller.
  const isEnough = reply && (reply.doubts.length === 0 || !asked.isOutlivedBy(call));
  return isEnough ? reply : coalesce(flight, key, call, ask);
}

function begin<T>(
  flight: InFlight<T>,
  key: string,
  call: Call,
  ask: (shared: Call) => Promise<Reply<T>>,
): Promise<Reply<T>> {
  const end = () => {
    if (flight.get(key) === asked) flight.delete(key);
  };
  const asked: SharedRequest<Reply<T>> = new SharedRequest(call, (shared) => ask(shared).finally(end));
  flight.set(key, asked);
  return asked.answerFor(call);
}

/** Returns whether an error only says that the first caller's time was too short. */
function isOfTime(error: unknown): boolean {
  return error instanceof LspanError && (error.code === 'timed_out' || error.code === 'starting');
}

/**
 * A question in flight, with the calls that wait for it. It is also the call under which it is asked: it ends
 * when the last waiting call leaves, with that call's reason, and its deadline is the latest of theirs.
 */
class SharedRequest<T> implements Call {
  readonly [ending] = new CancelSource();
  readonly #waiting = new Set<Call>();
  readonly #answer: Promise<T>;
  /** Only calls of one scope wait together. */
  readonly scope: string | undefined;
  readonly isBeside: boolean | undefined;
  /** Deadline of the first caller, which set the timeouts of the question. */
  readonly #begunFor: number;
  #told: string | undefined;

  constructor(first: Call, ask: (shared: Call) => Promise<T>) {
    this.scope = first.scope;
    this.isBeside = first.isBeside;
    this.#begunFor = first.deadline;
    this.#waiting.add(first);
    this.#answer = ask(this);
    this.#answer.catch(() => {});
  }

  get signal(): AbortSignal {
    return this[ending].signal;
  }

  get deadline(): number {
    const deadlines = [...this.#waiting].map(({ deadline }) => deadline);
    return deadlines.length === 0 ? this.#begunFor : Math.max(...deadlines);
  }

  readonly report = (message: string): void => {
    this.#told = message;
    for (const { report } of this.#waiting) report(message);
  };

  /** Returns whether a call can join: the question is not cancelled, and its answer would be in time. */
  suits({ deadline, isBeside = false }: Call): boolean {
    if (this.isBeside && !isBeside) return false;
    return !this[ending].aborted && deadline >= this.#begunFor - limits.sharing.slack;
  }

  /** Returns whether a call could wait longer for a server than the first caller. */
  isOutlivedBy({ deadline }: Call): boolean {
    return deadline > this.#begunFor + limits.sharing.slack;
  }

  /** Waits for the answer until the call ends. The last call to leave receives the question's own outcome. */
  answerFor(call: Call): Promise<T> {
    const signal = cancelSignalOf(call);
    this.#waiting.add(call);
    if (this.#told !== undefined && this.#waiting.size > 1) call.report(this.#told);
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(call);
        if (this.#waiting.size > 0) reject(signal.reason);
        else this[ending].abort(signal.reason);
      };
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
      this.#answer.then(resolve, reject).finally(() => {
        signal.removeEventListener('abort', leave);
        this.#waiting.delete(call);
      });
    });
  }
}
