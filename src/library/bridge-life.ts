import { until, within } from '../core/call.ts';
import { LspanError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { CallInProgress, CallsInProgress } from '../core/runtime/calls-in-progress.ts';
import type { CancelSignal } from '../core/runtime/cancellation.ts';
import { onAbort } from '../core/runtime/on-abort.ts';

/** Lifetime of an embedded bridge: closing it cancels the calls in progress, and no call starts afterwards. */
export class BridgeLife {
  readonly #calls = new CallsInProgress();
  readonly #listeners = new Set<() => unknown>();
  #closing: Promise<void> | undefined;

  /** Throws if the bridge is closed. */
  ensureOpen(): void {
    if (this.#closing) throw ended();
  }

  /** Runs `work`. Rejects as soon as the caller cancels or the bridge is closed. */
  async run<T>(signal: AbortSignal | undefined, work: (signal: CancelSignal) => Promise<T>): Promise<T> {
    this.ensureOpen();
    // `close` waits for the work even if its caller has cancelled.
    const call = this.#calls.add(new CallInProgress());
    const onSignal = () => call.abort(cancelled(signal));
    if (signal?.aborted) onSignal();
    const stopListening = signal && onAbort(signal, onSignal);
    const worked = call.aborted ? Promise.reject(call.reason) : work(call);
    const settled = worked.finally(() => {
      this.#calls.remove(call);
      stopListening?.();
    });
    return until(settled, call);
  }

  /** Calls `listener` on close, before the bridge itself is closed; returns a function that removes it. */
  onClose(listener: () => unknown): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Cancels the calls in progress, then closes the bridge. Later calls return the same promise. */
  close(close: () => Promise<void>): Promise<void> {
    this.#closing ??= this.#close(close);
    return this.#closing;
  }

  async #close(close: () => Promise<void>): Promise<void> {
    const idle = this.#calls.end(closed);
    await Promise.allSettled([...this.#listeners].map(async (listener) => listener()));
    await close();
    await within(idle, limits.leaving);
  }
}

function cancelled(signal: AbortSignal | undefined): LspanError {
  return new LspanError('cancelled', 'The caller cancelled this call.', { cause: signal?.reason });
}

function closed(): LspanError {
  return new LspanError('cancelled', 'The bridge was closed before this call was answered.');
}

function ended(): LspanError {
  return new LspanError('refused', 'The bridge is closed.', {
    nextStep: 'Create another one with createBridge.',
  });
}
