import { LspanError } from '../../../core/errors.ts';

/** Wire types of protobuf: https://protobuf.dev/programming-guides/encoding/#structure */
const wire = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/**
 * Reads the fields of one protobuf message. An inner message is read only if asked for, in a reader of its own, so that
 * neither depth nor unknown fields cost anything.
 */
export class WireReader {
  readonly #buffer: Buffer;
  #end: number;
  #at: number;
  /** Where the value of the current field begins and ends, if it has a length. */
  #from = 0;
  #to = -1;
  #value = 0;

  constructor(buffer: Buffer, from = 0, end = buffer.length) {
    this.#buffer = buffer;
    this.#at = from;
    this.#end = end;
  }

  get position(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#end;
  }

  /** The current field as a number. Throws if it is a text or a message. */
  get value(): number {
    if (this.#to >= 0) throw notScip('a number is a text');
    return this.#value;
  }

  /** True if the current field is a text, a message or a packed list. */
  get hasLength(): boolean {
    return this.#to >= 0;
  }

  /** Goes to the next field and returns its number; 0 at the end. */
  next(): number {
    if (this.isAtEnd) return 0;
    const key = this.varint();
    const number = Math.floor(key / 8);
    if (number === 0) throw notScip('a field has no number');
    this.#to = -1;
    const type = key % 8;
    if (type === wire.varint) this.#value = this.varint();
    else this.#skip(this.#lengthOf(type));
    return number;
  }

  /** Returns the current field as a text. */
  text(most: number): string {
    const length = this.#to - this.#from;
    if (this.#to < 0) throw notScip('a text is a number');
    if (length > most) throw notScip(`a text has ${length} bytes, and at most ${most} are read`);
    return this.#buffer.toString('utf8', this.#from, this.#to);
  }

  /** Returns at most so many bytes of the current field as a text, without a character that would be cut. */
  beginning(most: number): string {
    if (this.#to < 0) throw notScip('a text is a number');
    const end = Math.min(this.#to, this.#from + most);
    return this.#buffer.toString('utf8', this.#from, end).replace(/\ufffd$/, '');
  }

  /** Returns a reader of the message or packed list that the current field is. */
  message(): WireReader {
    if (this.#to < 0) throw notScip('a message is a number');
    return new WireReader(this.#buffer, this.#from, this.#to);
  }

  /** Goes into the message or packed list that the current field is; `leave` takes what it returns. */
  enter(): number {
    if (this.#to < 0) throw notScip('a message is a number');
    const outer = this.#end;
    this.#at = this.#from;
    this.#end = this.#to;
    return outer;
  }

  /** Goes to what follows the message that was entered. */
  leave(outer: number): void {
    this.#at = this.#end;
    this.#end = outer;
  }

  /** Returns the next number of a packed list. */
  varint(): number {
    let [value, scale] = [0, 1];
    for (let count = 0; count < longestVarint; count++) {
      const byte = this.#at < this.#end ? this.#buffer[this.#at++] : undefined;
      if (byte === undefined) throw notScip('it ends within a number');
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
    throw notScip('a number is too long');
  }

  /** Reads the number of a field and its length, if it has one; the value itself is not read. */
  head(): { readonly number: number; readonly length: number | undefined } {
    const key = this.varint();
    const number = Math.floor(key / 8);
    if (number === 0) throw notScip('a field has no number');
    return { number, length: key % 8 === wire.bytes ? this.varint() : undefined };
  }

  #lengthOf(type: number): number {
    if (type === wire.bytes) return this.varint();
    if (type === wire.fixed64) return 8;
    if (type === wire.fixed32) return 4;
    throw notScip('a field has an unknown type');
  }

  #skip(length: number): void {
    if (this.#at + length > this.#end) throw notScip('a length leads past the end');
    this.#from = this.#at;
    this.#to = this.#at + length;
    this.#at = this.#to;
  }
}

const longestVarint = 10;

/** Returns the error about a file that is not a SCIP index. */
export function notScip(why: string): LspanError {
  return new LspanError('invalid_input', `The file is not a whole SCIP index: ${why}.`, {
    nextStep: 'Make the index again with its indexer, and add it again. Nothing was changed.',
  });
}
