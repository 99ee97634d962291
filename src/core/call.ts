import { LspanError } from './errors.ts';
import { type CancelSignal, CancelSource } from './runtime/cancellation.ts';
import { startTimer, type Timer } from './runtime/timer.ts';

/** Context of one call in every layer: cancellation, deadline and progress. */
export interface Call {
  /** Aborts on cancellation or at the deadline; the reason is always an `LspanError`. */
  readonly signal: AbortSignal;
  /** End of the call on the clock of `performance.now()`; moves on by the time for which this process was suspended. */
  readonly deadline: number;
  /** Reports to the caller what the call is waiting for. */
  readonly report: (message: string) => void;
  /** Id of the caller, if several callers must not share state. */
  readonly scope?: string | undefined;
  /** Id that the caller gave to it, by which it can ask later what became of an edit. */
  readonly id?: string | undefined;
  /** True if others are asked too, and this one must not hold the answer: one that may wait for a network is left soon. */
  readonly isBeside?: boolean | undefined;
}

/** Key of the cancel signal in a call that lspan made. */
export const ending: unique symbol = Symbol('ending');

interface OwnCall extends Call {
  readonly [ending]: CancelSignal;
}

/** Returns the cancel signal of a call: cheaper than `signal`, which creates an `AbortSignal`. */
export function cancelSignalOf(call: Call & Partial<OwnCall>): CancelSignal {
  return call[ending] ?? call.signal;
}

/** Combines a caller's cancellation with a deadline; time while lspan itself is stopped does not count. */
export function beginCall(
  options: { readonly time: number } & Partial<Pick<Call, 'report' | 'scope' | 'id' | 'isBeside'>>,
  ...cancelled: readonly (CancelSignal | undefined)[]
): OwnCall & Disposable {
  const end = new CancelSource();
  const timer = startTimer(options.time, () => end.abort(timedOut(options.time)));
  const onCancel = () => end.abort(reasonOf(cancelled));
  for (const signal of cancelled) {
    if (signal?.aborted) onCancel();
    signal?.addEventListener('abort', onCancel, { once: true });
  }
  return {
    [ending]: end,
    get signal() {
      return end.signal;
    },
    get deadline() {
      return performance.now() + timer.left;
    },
    report: options.report ?? (() => {}),
    scope: options.scope,
    id: options.id,
    isBeside: options.isBeside,
    [Symbol.dispose]() {
      timer.cancel();
      for (const signal of cancelled) signal?.removeEventListener('abort', onCancel);
    },
  };
}

/** Returns the milliseconds that a call has left, or a share of them. */
export function timeLeft(call: Call, share = 1): number {
  return (call.deadline - performance.now()) * share;
}

/** Time of a part of a call. Default: all the time that is left. */
interface PartOptions {
  /** Share of the time left after the margin is deducted. */
  readonly share?: number;
  /** Milliseconds reserved for later work. */
  readonly margin?: number;
  /** Most milliseconds. */
  readonly most?: number;
  /** See `Call`. */
  readonly isBeside?: boolean;
}

/** Runs `work` in an inner call, which ends with the outer one, with a signal, or at its own deadline. */
export async function withinPart<T>(
  call: Call,
  { share = 1, margin = 0, most = Number.POSITIVE_INFINITY, isBeside }: PartOptions,
  work: (part: Call) => Promise<T>,
  ...cancelled: readonly CancelSignal[]
): Promise<T> {
  const { report, scope, id } = call;
  const time = Math.max(1, Math.min(most, (timeLeft(call) - margin) * share));
  const part = beginCall(
    { time, report, scope, id, isBeside: isBeside ?? call.isBeside },
    cancelSignalOf(call),
    ...cancelled,
  );
  try {
    return await work(part);
  } finally {
    part[Symbol.dispose]();
  }
}

/** Runs `work` in a share of the time that is left; returns `undefined` if it takes longer. */
export async function withinShare<T>(
  call: Call,
  share: number,
  work: (part: Call) => Promise<T>,
): Promise<T | undefined> {
  return withinPart(call, { share }, work).catch((thrown: unknown) => {
    cancelSignalOf(call).throwIfAborted();
    if (!(thrown instanceof LspanError) || thrown.code !== 'timed_out') throw thrown;
    return undefined;
  });
}

/** Waits for an event, but not past the end of the call; then it rejects with the signal's reason. */
export function until<T>(event: Promise<T>, signal: CancelSignal): Promise<T> {
  if (signal.aborted) {
    // Nothing else handles the event any more, and an unhandled rejection would end the process.
    event.catch(() => {});
    return Promise.reject(signal.reason);
  }
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    event.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Waits at most `time` for an event, else returns `undefined`. Rejects with the signal's reason. */
export async function within<T>(
  event: Promise<T>,
  time: number,
  signal?: CancelSignal,
): Promise<T | undefined> {
  let timer: Timer | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = startTimer(time, () => resolve(undefined));
  });
  const first = Promise.race([event, late]);
  return (signal ? until(first, signal) : first).finally(() => timer?.cancel());
}

/** An inner call passes on the reason of the outer one; any other abort comes from the caller. */
function reasonOf(cancelled: readonly (CancelSignal | undefined)[]): LspanError {
  const reason = cancelled.find((signal) => signal?.aborted)?.reason;
  if (reason instanceof LspanError) return reason;
  return new LspanError('cancelled', 'The caller cancelled this call.');
}

function timedOut(time: number): LspanError {
  return new LspanError(
    'timed_out',
    `The call did not finish within ${Number((time / 1000).toPrecision(3))} s.`,
    {
      nextStep: 'Call again; if it takes too long again, see get_server_status.',
    },
  );
}
