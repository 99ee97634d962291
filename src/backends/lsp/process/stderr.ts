import { limits } from '../../../core/limits.ts';
import type { Log } from '../../../core/log.ts';

/** Logs what a server writes to stderr, line by line, but no more lines a second than a reader could want. */
export class StderrLog {
  readonly #log: Log;
  readonly #pid: number;
  readonly #now: () => number;
  #line = Buffer.alloc(0);
  #windowStart = Number.NEGATIVE_INFINITY;
  #logged = 0;
  #skippedBytes = 0;

  constructor(log: Log, pid: number, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#pid = pid;
    this.#now = now;
  }

  append(chunk: Buffer): void {
    this.#openWindow();
    let rest = chunk;
    while (rest.length > 0 && this.#logged < limits.stderrLinesPerSecond) {
      const end = rest.indexOf(lineEnd);
      this.#collect(end < 0 ? rest : rest.subarray(0, end));
      if (end < 0) return;
      this.#say();
      rest = rest.subarray(end + 1);
    }
    this.#skip(rest);
  }

  /** A line that never ends is kept only as far as it would be shown. */
  #collect(part: Buffer): void {
    const room = limits.stderrLine - this.#line.length;
    if (room > 0) this.#line = Buffer.concat([this.#line, part.subarray(0, room)]);
  }

  #say(): void {
    const text = plainText(this.#line.toString('utf8')).trimEnd();
    this.#line = Buffer.alloc(0);
    if (text === '') return;
    this.#logged += 1;
    this.#log('debug', 'server_stderr', { pid: this.#pid, text });
  }

  #skip(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#skippedBytes += bytes.length;
    this.#line = Buffer.alloc(0);
  }

  #openWindow(): void {
    const now = this.#now();
    if (now - this.#windowStart < 1_000) return;
    if (this.#skippedBytes > 0) {
      this.#log('debug', 'server_stderr_skipped', { pid: this.#pid, bytes: this.#skippedBytes });
    }
    this.#windowStart = now;
    this.#logged = 0;
    this.#skippedBytes = 0;
  }
}

const lineEnd = 0x0a;

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

/** What a terminal would show of a program's output: no escape sequences, no control characters but line ends. */
export function plainText(output: string): string {
  return output.replace(escapes, '').replace(lineEnds, '\n').replace(controls, '');
}

/** Colours and cursor moves (CSI), titles and links (OSC), and the two-character rest; none runs past the end of its line. */
const escapes = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\r\n]*(?:\x07|\x1b\\)?|[^[\]\r\n])/g;

const lineEnds = /\r\n?/g;

const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;
