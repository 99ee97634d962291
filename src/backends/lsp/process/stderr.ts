import { limits } from '../../../core/limits.ts';
import type { Log } from '../../../core/log.ts';
import { plainText } from './plain-text.ts';

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
