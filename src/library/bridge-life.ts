import { until, within } from '../core/call.ts';
import { LspanError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { type CancelSignal, CancelSource } from '../core/runtime/cancellation.ts';
import { onAbort } from '../core/runtime/on-abort.ts';

/** The life of a bridge within another program: nothing begins after its end, and what is under way then is given up. */
export class BridgeLife {
  readonly #underWay = new Map<CancelSource, Promise<unknown>>();
  readonly #atEnd = new Set<() => unknown>();
  #ending: Promise<void> | undefined;

  /** Throws where it has ended. */
  check(): void {
    if (this.#ending) throw ended();
  }

  /** Does what takes a while. Rejects as soon as who asked cancels, or the life ends. */
  async during<T>(asked: AbortSignal | undefined, work: (signal: CancelSignal) => Promise<T>): Promise<T> {
    this.check();
    const giveUp = new CancelSource();
    const onCancel = () => giveUp.abort(cancelled(asked));
    if (asked?.aborted) onCancel();
    const unhear = asked && onAbort(asked, onCancel);
    const worked = giveUp.aborted ? Promise.reject(giveUp.reason) : work(giveUp);
    // Who ends the bridge waits for it, also where who asked has gone.
    this.#underWay.set(giveUp, worked);
    const settled = worked.finally(() => {
      this.#underWay.delete(giveUp);
      unhear?.();
    });
    return until(settled, giveUp);
  }

  /** Has something done when the life ends, before all that it stands on; gives a function that forgets it. */
  atEnd(end: () => unknown): () => void {
    this.#atEnd.add(end);
    return () => void this.#atEnd.delete(end);
  }

  /** Ends it: gives up what is under way, then closes what that stood on. Once is enough, more often does no harm. */
  end(close: () => Promise<void>): Promise<void> {
    this.#ending ??= this.#end(close);
    return this.#ending;
  }

  async #end(close: () => Promise<void>): Promise<void> {
    const underWay = [...this.#underWay.values()];
    for (const giveUp of this.#underWay.keys()) giveUp.abort(closed());
    await Promise.allSettled([...this.#atEnd].map(async (end) => end()));
    await close();
    await within(Promise.allSettled(underWay), limits.leaving);
  }
}

function cancelled(asked: AbortSignal | undefined): LspanError {
  return new LspanError('cancelled', 'The caller cancelled this call.', { cause: asked?.reason });
}

function closed(): LspanError {
  return new LspanError('cancelled', 'The bridge was closed before this call was answered.');
}

function ended(): LspanError {
  return new LspanError('refused', 'The bridge is closed.', {
    nextStep: 'Create another one with createBridge.',
  });
}
