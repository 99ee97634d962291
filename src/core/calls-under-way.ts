import { LspanError } from './errors.ts';
import { onAbort } from './on-abort.ts';

/** The calls that are under way, so that who ends what they are about can end them first, and wait for that. */
export class CallsUnderWay {
  readonly #calls = new Map<AbortController, Promise<unknown>>();
  readonly #why: () => LspanError;
  #ended = false;

  /** @param why What calls reject with that are ended. */
  constructor(why = ending) {
    this.#why = why;
  }

  /** Works under a signal that aborts when the caller's does, or all calls are ended; after that, at once. */
  run<T>(work: (signal: AbortSignal) => Promise<T>, cancelled?: AbortSignal): Promise<T> {
    const own = new AbortController();
    const cancel = () => own.abort(cancelled?.reason);
    if (this.#ended) own.abort(this.#why());
    if (cancelled?.aborted) cancel();
    const unhear = cancelled && onAbort(cancelled, cancel);
    const done = work(own.signal).finally(() => {
      unhear?.();
      this.#calls.delete(own);
    });
    this.#calls.set(
      own,
      done.catch(() => {}),
    );
    return done;
  }

  /** Ends all calls, those to come too; resolves when none is under way. */
  async end(): Promise<void> {
    this.#ended = true;
    for (const own of this.#calls.keys()) own.abort(this.#why());
    await Promise.all(this.#calls.values());
  }
}

function ending(): LspanError {
  return new LspanError('cancelled', 'lspan is ending.', {
    nextStep: 'Start it again, or open another bridge, to go on asking.',
  });
}
