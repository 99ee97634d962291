import { limits } from '../../../core/limits.ts';
import { plainText } from './plain-text.ts';

/** The last words of a server: what it wrote to stderr, as much of it as a fixed room holds. */
export class StderrRing {
  readonly #room = Buffer.alloc(limits.stderrRing);
  #written = 0;

  append(chunk: Buffer): void {
    const kept = chunk.subarray(Math.max(0, chunk.length - this.#room.length));
    this.#written += chunk.length;
    const start = (this.#written - kept.length) % this.#room.length;
    const fitted = kept.copy(this.#room, start);
    kept.copy(this.#room, 0, fitted);
  }

  /** The last lines that are not empty, without escape sequences and control characters. */
  tail(lines: number): string[] {
    const all = plainText(this.#bytes().toString('utf8')).split('\n');
    // The oldest line has lost its beginning once the room was full; alone, it is better than nothing.
    const whole = this.#written > this.#room.length && all.length > 1 ? all.slice(1) : all;
    const said = whole.map((line) => line.trimEnd()).filter((line) => line !== '');
    return said.slice(-lines).map(cut);
  }

  #bytes(): Buffer {
    if (this.#written <= this.#room.length) return this.#room.subarray(0, this.#written);
    const oldest = this.#written % this.#room.length;
    return Buffer.concat([this.#room.subarray(oldest), this.#room.subarray(0, oldest)]);
  }
}

function cut(line: string): string {
  return line.length > limits.stderrLine ? `${line.slice(0, limits.stderrLine)}…` : line;
}
