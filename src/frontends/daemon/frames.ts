import { limits } from '../../core/limits.ts';
import { parseJson } from '../../jsonrpc/parse-body.ts';

/** A message between daemon and client, and JSON that goes with it and that only its reader may want to parse. */
export interface Frame {
  readonly message: unknown;
  /** Empty if there is none. */
  readonly attached: string;
}

/**
 * Encodes a message in one buffer, so that it is one write: the length of what follows, the length of the message, the
 * message, what goes with it. Nobody looks for the end of a header, or at bytes that are only passed on.
 */
export function toFrame(message: unknown, attached = ''): Buffer {
  const json = JSON.stringify(message);
  const [head, rest] = [Buffer.byteLength(json), Buffer.byteLength(attached)];
  const frame = Buffer.allocUnsafe(lengths + head + rest);
  frame.writeUInt32LE(frame.length - word, 0);
  frame.writeUInt32LE(head, word);
  frame.write(json, lengths, 'utf8');
  if (rest > 0) frame.write(attached, lengths + head, 'utf8');
  return frame;
}

/** The bytes of a length, and of both. */
const word = Uint32Array.BYTES_PER_ELEMENT;

const lengths = word + word;

/** Receives what a splitter finds. */
interface FrameListener {
  frame(frame: Frame): void;
  /** Called at most once, as the last call. The reason is a clause about the writer. */
  fault(reason: string): void;
}

/** Splits the bytes of a connection into frames. Those of a stranger are small. */
export class FrameSplitter {
  readonly #listener: FrameListener;
  #longest: number = limits.daemon.frameOfStranger;
  #hasEnded = false;
  /** A frame of which a part has come: its lengths first, then all of it. */
  #partial: Buffer | undefined;
  #filled = 0;

  constructor(listener: FrameListener) {
    this.#listener = listener;
  }

  /** The writer has proved who it is. */
  trust(): void {
    this.#longest = limits.frame.body;
  }

  /** Delivers nothing more. */
  end(): void {
    this.#hasEnded = true;
    this.#partial = undefined;
  }

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length && !this.#hasEnded) at = this.#take(chunk, at);
  }

  /** Returns where the next frame, or the rest of this one, begins. */
  #take(chunk: Buffer, at: number): number {
    if (this.#partial) return this.#fill(this.#partial, chunk, at);
    const size = chunk.length - at < lengths ? lengths : this.#sizeOf(chunk, at);
    if (size === undefined) return chunk.length;
    if (chunk.length - at >= size) {
      this.#deliver(chunk, at, size);
      return at + size;
    }
    this.#partial = Buffer.allocUnsafe(size);
    this.#filled = 0;
    return this.#fill(this.#partial, chunk, at);
  }

  #fill(partial: Buffer, chunk: Buffer, at: number): number {
    const copied = chunk.copy(partial, this.#filled, at);
    this.#filled += copied;
    if (this.#filled === partial.length) this.#complete(partial);
    return at + copied;
  }

  #complete(partial: Buffer): void {
    const size = this.#sizeOf(partial, 0);
    this.#partial = undefined;
    if (size === partial.length) this.#deliver(partial, 0, size);
    else if (size !== undefined) {
      this.#partial = Buffer.allocUnsafe(size);
      partial.copy(this.#partial);
    }
  }

  /** Returns the length of a frame, all of it; `undefined` if there can be none such. */
  #sizeOf(bytes: Buffer, at: number): number | undefined {
    const [rest, head] = [bytes.readUInt32LE(at), bytes.readUInt32LE(at + word)];
    if (rest <= this.#longest && head > 0 && head + word <= rest) return rest + word;
    this.#fail('it sends what is no message');
    return undefined;
  }

  #deliver(bytes: Buffer, at: number, size: number): void {
    const end = at + size;
    const body = at + lengths;
    const attachedAt = body + bytes.readUInt32LE(at + word);
    const parsed = parseJson(bytes.toString('utf8', body, attachedAt));
    if (parsed === 'not_json') this.#fail('a message is not JSON');
    else {
      const attached = attachedAt === end ? '' : bytes.toString('utf8', attachedAt, end);
      this.#listener.frame({ message: parsed.value, attached });
    }
  }

  #fail(reason: string): void {
    this.end();
    this.#listener.fault(reason);
  }
}
