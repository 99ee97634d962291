import { limits } from '../../../core/limits.ts';
import type { Log } from '../../../core/log.ts';

/** Logs a server's stderr line by line, with a limit of lines per second. */
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

  /** Keeps an endless line only as far as it would be shown. */
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

/** A ring buffer with the end of a server's stderr. */
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

  /** Returns the last lines that are not empty, without escape sequences and control characters. */
  tail(lines: number): string[] {
    const all = plainText(this.#bytes().toString('utf8')).split('\n');
    // The oldest line of a full buffer has lost its beginning; drop it unless it is the only one.
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

/** Strips escape sequences and all control characters but line ends and tabs. */
export function plainText(output: string): string {
  return output.replace(escapes, '').replace(lineEnds, '\n').replace(controls, '');
}

/** Colours and cursor moves (CSI), titles and links (OSC), two-character sequences; none crosses a line. */
const escapes = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\r\n]*(?:\x07|\x1b\\)?|[^[\]\r\n])/g;

const lineEnds = /\r\n?/g;

const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;
