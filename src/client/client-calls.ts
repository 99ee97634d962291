import { beginCall, type Call } from '../core/call.ts';
import { checkKinds, type Kind, kinds } from '../core/check-arguments.ts';
import { LspanError } from '../core/errors.ts';
import { CallsInProgress } from '../core/runtime/calls-in-progress.ts';
import type { CancelSignal } from '../core/runtime/cancellation.ts';
import { errorForHost } from '../core/wording/api-words.ts';
import type { AskOptions } from './client.ts';

/** The questions of a client that are under way: each ends with its deadline, with its caller, or with the client. */
export class ClientCalls {
  readonly #time: number;
  readonly #calls = new CallsInProgress(hasEnded);
  #closed = false;

  /** @param time Milliseconds of a question that sets none. */
  constructor(time: number) {
    this.#time = time;
  }

  /** Throws where the client was closed. */
  check(): void {
    if (this.#closed) throw hasEnded();
  }

  /** Works for a question; whatever is thrown becomes the error of lspan. */
  async run<T>(options: AskOptions = {}, work: (call: Call) => Promise<T>): Promise<T> {
    this.check();
    checkKinds('The options of a question', options, rows);
    const { signal, deadline = this.#time, onProgress: report = () => {} } = options;
    const ask = (own: CancelSignal) => {
      const call = beginCall({ time: deadline, report }, own);
      return work(call).finally(() => call[Symbol.dispose]());
    };
    return this.#calls.run(ask, signal).catch((thrown: unknown) => {
      throw errorForHost(thrown);
    });
  }

  /** Ends those under way, and lets no other begin. */
  close(): void {
    this.#closed = true;
    void this.#calls.end();
  }
}

function hasEnded(): LspanError {
  return new LspanError('cancelled', 'This client was closed.', { nextStep: 'Start another one.' });
}

const rows: Readonly<Record<keyof AskOptions, Kind>> = {
  signal: kinds.signal,
  deadline: kinds.milliseconds,
  onProgress: kinds.listener,
};
