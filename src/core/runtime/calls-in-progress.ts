import { LspanError } from '../errors.ts';
import { ActiveSet } from './active-set.ts';
import { type CancelSignal, CancelSource } from './cancellation.ts';
import { onAbort } from './on-abort.ts';

/** The calls that are under way, so that who ends what they are about can end them first, and wait for that. */
export class CallsInProgress {
  readonly #calls = new ActiveSet<{ readonly own: CancelSource; readonly done: Promise<unknown> }>();
  readonly #why: () => LspanError;
  #ended = false;

  /** @param why What calls reject with that are ended. */
  constructor(why = ending) {
    this.#why = why;
  }

  /** Works under a signal that aborts when the caller's does, or all calls are ended; after that, at once. */
  run<T>(work: (signal: CancelSignal) => Promise<T>, cancelled?: CancelSignal): Promise<T> {
    const own = new CancelSource();
    const cancel = () => own.abort(cancelled?.reason);
    if (this.#ended) own.abort(this.#why());
    if (cancelled?.aborted) cancel();
    const unhear = cancelled && onAbort(cancelled, cancel);
    const done = work(own).finally(() => {
      unhear?.();
      leave();
    });
    const leave = this.#calls.add({ own, done });
    return done;
  }

  /** Ends all calls, those to come too; resolves when none is under way. */
  async end(): Promise<void> {
    this.#ended = true;
    const calls = [...this.#calls];
    for (const { own } of calls) own.abort(this.#why());
    await Promise.allSettled(calls.map(({ done }) => done));
  }
}

function ending(): LspanError {
  return new LspanError('cancelled', 'lspan is ending.', {
    nextStep: 'Start it again, or open another bridge, to go on asking.',
  });
}
