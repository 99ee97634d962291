import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { LspanError } from '../../core/errors.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import { quotePath } from '../../core/wording/quote-path.ts';

/** Reads parts of a large file that the user has named, without loading the whole. */
export class ByteReader {
  readonly size: number;
  readonly #descriptor: number;
  #position = 0;

  /** Throws `not_found` or `invalid_input` if there is no such plain file. */
  constructor(file: string) {
    const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
    const opened = resultOrError(() => openSync(file, flags));
    if (opened instanceof LspanError)
      throw new LspanError('not_found', `The file ${quotePath(file)} cannot be read.`, {
        nextStep: 'Give the path of an existing file.',
        cause: opened.cause,
      });
    this.#descriptor = opened;
    const stats = fstatSync(opened);
    this.size = stats.size;
    if (stats.isFile()) return;
    this.close();
    throw new LspanError('invalid_input', `${quotePath(file)} is not a plain file.`, {
      nextStep: 'Give the path of a file.',
    });
  }

  /** The end of what was read last. */
  get position(): number {
    return this.#position;
  }

  /** Returns so many bytes from a position; fewer at the end of the file. */
  read(position: number, length: number): Buffer {
    const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, this.size - position)));
    let filled = 0;
    while (filled < buffer.length) {
      const read = readSync(this.#descriptor, buffer, filled, buffer.length - filled, position + filled);
      if (read === 0) break;
      filled += read;
    }
    this.#position = position + filled;
    return buffer.subarray(0, filled);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
