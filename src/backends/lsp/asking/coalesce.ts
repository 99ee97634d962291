import type { Reply } from '../../../core/backend.ts';
import { type Call, cancelSignalOf, ending } from '../../../core/call.ts';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import { CancelSource } from '../../../core/runtime/cancellation.ts';

/** The questions in flight of one kind, by all that their answers depend on: who has the same key means the same. */
export type InFlight<T> = Map<string, SharedRequest<Reply<T>>>;

/** Asks, or waits with those who have asked the same; that one who waits leaves hurts none of the others. */
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
  // How long a server was waited for depends on how long who asked first could wait.
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

/** That the time of who asked first was too short says nothing about the question. */
function isOfTime(error: unknown): boolean {
  return error instanceof LspanError && (error.code === 'timed_out' || error.code === 'starting');
}

/**
 * A question in flight, and the calls of all who wait for its answer. It is itself the call under which it is asked:
 * that ends when the last who waits has left, for that one's reason, and its time is that of who can wait longest.
 */
class SharedRequest<T> implements Call {
  readonly [ending] = new CancelSource();
  readonly #waiting = new Set<Call>();
  readonly #answer: Promise<T>;
  /** Only those of one scope wait together. */
  readonly scope: string | undefined;
  /** Until when who asked first could wait, by which the question's own patience was measured. */
  readonly #begunFor: number;
  #told: string | undefined;

  constructor(first: Call, ask: (shared: Call) => Promise<T>) {
    this.scope = first.scope;
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

  /** Whether somebody can wait with the others: it is not given up, nor would it answer late for that one. */
  suits({ deadline }: Call): boolean {
    return !this[ending].aborted && deadline >= this.#begunFor - limits.sharing.slack;
  }

  /** Whether somebody could have the question wait longer for a server than who asked first. */
  isOutlivedBy({ deadline }: Call): boolean {
    return deadline > this.#begunFor + limits.sharing.slack;
  }

  /** Waits for the answer until the call ends. The last who leaves hears what the question itself ended in. */
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
