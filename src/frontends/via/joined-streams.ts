import type { Readable, Writable } from 'node:stream';
import type { ChannelStream } from '../daemon/channel.ts';

/** Two streams as one: it ends when either of them does. */
export class JoinedStreams implements ChannelStream {
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #write: Writable['write'];

  /** @param write Writes to the output, if its own method does not. */
  constructor(input: Readable, output: Writable, write: Writable['write'] = output.write.bind(output)) {
    this.#input = input;
    this.#output = output;
    this.#write = write;
  }

  get writableLength(): number {
    return this.#output.writableLength;
  }

  on(event: 'data', listener: (chunk: Buffer) => void): void;
  on(event: 'error', listener: (error: Error) => void): void;
  on(event: 'close', listener: () => void): void;
  on(
    event: 'data' | 'error' | 'close',
    listener: ((chunk: Buffer) => void) & ((error: Error) => void) & (() => void),
  ): void {
    if (event === 'data') this.#input.on('data', listener);
    else if (event === 'error') for (const one of [this.#input, this.#output]) one.on('error', listener);
    else {
      this.#input.once('end', listener).once('close', listener);
      this.#output.once('close', listener);
    }
  }

  write(bytes: Buffer): void {
    this.#write(bytes);
  }

  end(): void {
    this.#output.end();
  }

  /** The input stays open until the last bytes are written. */
  destroySoon(): void {
    if (this.#output.writableFinished) this.#input.destroy();
    else this.#output.once('finish', () => this.#input.destroy());
  }

  destroy(): void {
    this.#output.destroy();
    this.#input.destroy();
  }
}
