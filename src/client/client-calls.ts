import { beginCall, type Call } from '../core/call.ts';
import { checkKinds, type Kind, kinds } from '../core/check-arguments.ts';
import { LspanError } from '../core/errors.ts';
import { CallInProgress, CallsInProgress } from '../core/runtime/calls-in-progress.ts';
import type { CancelSignal } from '../core/runtime/cancellation.ts';
import { errorForHost } from '../core/wording/api-words.ts';
import type { AskOptions } from './client.ts';

/** The questions of a client in progress; each ends at its deadline, when its caller cancels, or on close. */
export class ClientCalls {
  readonly #time: number;
  readonly #calls = new CallsInProgress();
  #closed = false;

  /** @param time Default deadline of a question in milliseconds. */
  constructor(time: number) {
    this.#time = time;
  }

  /** Throws if the client is closed. */
  check(): void {
    if (this.#closed) throw clientClosed();
  }

  /** Runs the work of one question; converts every error to an `LspanError`. */
  async run<T>(options: AskOptions = {}, work: (call: Call) => Promise<T>): Promise<T> {
    this.check();
    checkKinds('The options of a question', options, rows);
    const { signal, deadline = this.#time, onProgress: report = () => {} } = options;
    const ask = (own: CancelSignal) => {
      const call = beginCall({ time: deadline, report }, own);
      return work(call).finally(() => call[Symbol.dispose]());
    };
    return this.#calls.run(new CallInProgress(), ask, signal).catch((thrown: unknown) => {
      throw errorForHost(thrown);
    });
  }

  /** Cancels the questions in progress and refuses new ones. */
  close(): void {
    this.#closed = true;
    void this.#calls.end(clientClosed);
  }
}

function clientClosed(): LspanError {
  return new LspanError('cancelled', 'This client was closed.', { nextStep: 'Start another one.' });
}

const rows: Readonly<Record<keyof AskOptions, Kind>> = {
  signal: kinds.signal,
  deadline: kinds.milliseconds,
  onProgress: kinds.listener,
};
