import { limits } from '../../core/limits.ts';
import { frameText } from '../../jsonrpc/frame-writer.ts';
import type { ProtocolOutput } from '../stdout.ts';

/** Writes messages to a host, in frames; what waits for a host that does not read is bounded. */
export class FrameOutput {
  readonly #output: ProtocolOutput;
  readonly #fail: (error: Error) => void;
  #lastWrite: Promise<void> = Promise.resolve();
  #closed = false;

  /** @param fail Hears why nothing can be written any more; may be called more than once. */
  constructor(output: ProtocolOutput, fail: (error: Error) => void) {
    this.#output = output;
    this.#fail = fail;
    output.onError(fail);
  }

  /** Writes a message; nothing after the close. */
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

  /** Settles when everything that was written has been taken, or cannot be. */
  drained(): Promise<void> {
    return this.#lastWrite;
  }
}
