import { within } from '../../core/call.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { type CancelSignal, CancelSource } from '../../core/runtime/cancellation.ts';
import type { RequestId } from '../../jsonrpc/message.ts';

/** The requests that have no answer yet, by their ids. */
export class RequestsInFlight {
  readonly #running = new Map<RequestId, Running>();

  has(id: RequestId): boolean {
    return this.#running.has(id);
  }

  /** Whether there are as many as there may be. */
  get isFull(): boolean {
    return this.#running.size >= limits.rpc.inFlight;
  }

  /** Counts a request from now until it was answered. `answer` never rejects. */
  run(id: RequestId, answer: (signal: CancelSignal) => Promise<void>): void {
    const end = new CancelSource();
    const running: Running = { end, answered: Promise.resolve() };
    this.#running.set(id, running);
    running.answered = answer(end);
  }

  /** To be told right before the answer is written: from then on the id may be used again. */
  answered(id: RequestId): void {
    this.#running.delete(id);
  }

  /** Cancels one, which then ends by itself; one that is not there has its answer already. */
  cancel(id: RequestId): void {
    this.#running.get(id)?.end.abort(cancelled('The host cancelled this request.'));
  }

  /** Cancels all: nobody waits for an answer any more. */
  abandon(): void {
    for (const { end } of this.#running.values()) end.abort(cancelled(leaving));
  }

  /** Cancels all but one, and waits a little for their answers. */
  async endOthers(id: RequestId | undefined): Promise<void> {
    const others = [...this.#running].filter(([other]) => other !== id).map(([, running]) => running);
    for (const { end } of others) end.abort(cancelled(leaving));
    await within(Promise.all(others.map(({ answered }) => answered)), limits.stop.hurried);
  }
}

interface Running {
  readonly end: CancelSource;
  answered: Promise<void>;
}

function cancelled(message: string): LspanError {
  return new LspanError('cancelled', message);
}

const leaving = 'lspan is being shut down.';
