const newline = 0x0a;

/** The events of a line reader. */
export interface LineEvents {
  onLine(line: Buffer): void;
  /** Called once per line; the rest of the line is skipped without being kept. */
  onTooLong(): void;
}

/** Splits bytes into lines in linear time, and never holds more than one line's limit. */
export class LineReader {
  readonly #limit: number;
  readonly #events: LineEvents;
  #parts: Buffer[] = [];
  #held = 0;
  #skipping = false;

  constructor(limit: number, events: LineEvents) {
    this.#limit = limit;
    this.#events = events;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#hold(chunk.subarray(start, end));
      this.#endLine();
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
  }

  #hold(part: Buffer): void {
    if (this.#skipping) return;
    this.#held += part.length;
    this.#parts.push(part);
    if (this.#held <= this.#limit) return;
    this.#skipping = true;
    this.#forget();
    this.#events.onTooLong();
  }

  #endLine(): void {
    const parts = this.#parts;
    const skipped = this.#skipping;
    this.#skipping = false;
    this.#forget();
    if (!skipped) this.#events.onLine(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts));
  }

  #forget(): void {
    this.#parts = [];
    this.#held = 0;
  }
}
