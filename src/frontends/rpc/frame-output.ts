import { limits } from '../../core/limits.ts';
import { frameText } from '../../jsonrpc/frame-writer.ts';
import type { ProtocolOutput } from '../stdout.ts';

/** Writes framed messages to a host; the queue for a host that does not read is bounded. */
export class FrameOutput {
  readonly #output: ProtocolOutput;
  readonly #fail: (error: Error) => void;
  #lastWrite: Promise<void> = Promise.resolve();
  #closed = false;

  /** @param fail Called with why nothing can be written any more; may be called more than once. */
  constructor(output: ProtocolOutput, fail: (error: Error) => void) {
    this.#output = output;
    this.#fail = fail;
    output.onError(fail);
  }

  /** Writes a message; does nothing after `close`. */
  send(message: object): void {
    if (this.#closed) return;
    if (this.#output.queued() > limits.stdioQueue) {
      this.#fail(new Error(`it has left more than ${limits.stdioQueue} bytes unread`));
      return;
    }
    const text = frameText({ jsonrpc: '2.0', ...message });
    this.#lastWrite = new Promise((resolve) => {
      this.#output.write(text, (error) => {
        if (error) this.#fail(error);
        resolve();
      });
    });
  }

  close(): void {
    this.#closed = true;
  }

  /** Settles when everything written has reached the host, or cannot. */
  drained(): Promise<void> {
    return this.#lastWrite;
  }
}
