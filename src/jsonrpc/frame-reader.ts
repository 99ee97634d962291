import { limits } from '../core/limits.ts';
import { beginsHeader, type FrameHeader, hidesHeader, readField } from './frame-header.ts';
import { type BodyFault, bodyFaults, canBegin, type ParsedBody, parseBody } from './parse-body.ts';

/** Receives what a frame reader finds. */
export interface FrameListener {
  message(value: unknown): void;
  /** Called with the fault of a body; reading goes on. Default: such a body is a fault of the stream. */
  refuse?(fault: BodyFault): void;
  /** Returns the fault of a stray line between two frames, if any. Default: stray lines have none. */
  judge?(line: string): string | undefined;
  /** Called with true when a large message is parsed, false after it: later bytes should wait for it. */
  hold?(isHeld: boolean): void;
  /** Called at most once, as the last call. The reason is a clause about the writer. */
  fault(reason: string): void;
}

/**
 * Splits the bytes of a language server, or of a program around lspan, into JSON values, in one pass.
 *
 * Between two frames, lines that do not begin a header are stray output: skipped and counted, at most
 * `strayLines` and `strayBytes` of `limits.frame` between two good frames. Anything else that is not a frame
 * is a fault, after which the stream cannot be trusted and is not read further. A body always has the length
 * in its header, so a listener can go on after a bad one.
 */
export class FrameReader {
  readonly #listener: FrameListener;
  #ended = false;
  /** Line that is being read, one character per byte. */
  #line = '';
  #header: FrameHeader | undefined;
  /** Length of the body that is being read; 0 while a header is read. */
  #length = 0;
  #body: Buffer | undefined;
  #filled = 0;
  /** True if the body that is being read cannot be a message, and so is not kept. */
  #isGarbage = false;
  #stray = { lines: 0, bytes: 0 };
  #strayLines = 0;
  /** Chunks that arrived while a large body was parsed. */
  #waiting: Buffer[] | undefined;
  #large = 0;

  constructor(listener: FrameListener) {
    this.#listener = listener;
  }

  /** Number of stray lines skipped so far. */
  get strayLines(): number {
    return this.#strayLines;
  }

  /** Number of messages that were too large to be parsed at once. */
  get large(): number {
    return this.#large;
  }

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length && !this.#ended && !this.#waiting) {
      at = this.#length === 0 ? this.#takeLine(chunk, at) : this.#takeBody(chunk, at);
    }
    if (at < chunk.length) this.#waiting?.push(chunk.subarray(at));
  }

  /** Discards unfinished input, and delivers nothing more. */
  end(): void {
    this.#ended = true;
    this.#line = '';
    this.#body = undefined;
    this.#waiting = undefined;
  }

  #takeLine(chunk: Buffer, at: number): number {
    const feed = chunk.indexOf('\n', at, 'latin1');
    const end = feed === -1 ? chunk.length : feed + 1;
    if (this.#line.length + end - at > this.#room()) {
      this.#fail(this.#header ? tooLongHeader : tooMuchStray);
      return end;
    }
    this.#line += chunk.toString('latin1', at, end);
    if (feed !== -1) this.#fail(this.#endLine());
    return end;
  }

  /** Returns how long the line may become; a line outside a header may be stray or begin one. */
  #room(): number {
    if (this.#header) return limits.frame.header - this.#header.bytes;
    return limits.frame.strayBytes - this.#stray.bytes + limits.frame.header;
  }

  #endLine(): string | undefined {
    const bytes = this.#line.length;
    const line = this.#line.slice(0, this.#line.endsWith('\r\n') ? -2 : -1);
    this.#line = '';
    if (this.#header === undefined && !beginsHeader(line)) return this.#skip(line, bytes);
    this.#header ??= { length: undefined, bytes: 0 };
    this.#header.bytes += bytes;
    if (this.#header.bytes > limits.frame.header) return tooLongHeader;
    return line === '' ? this.#beginBody(this.#header.length) : readField(this.#header, line);
  }

  #skip(line: string, bytes: number): string | undefined {
    if (hidesHeader(line)) return 'a header does not begin at the start of its line';
    const wrong = this.#listener.judge?.(line);
    if (wrong !== undefined) return wrong;
    this.#stray.lines++;
    this.#stray.bytes += bytes;
    if (this.#stray.lines > limits.frame.strayLines) return tooMuchStray;
    if (this.#stray.bytes > limits.frame.strayBytes) return tooMuchStray;
    this.#strayLines++;
    return undefined;
  }

  #beginBody(length: number | undefined): string | undefined {
    if (length === undefined) return 'a header has no Content-Length';
    this.#header = undefined;
    this.#length = length;
    this.#filled = 0;
    return undefined;
  }

  #takeBody(chunk: Buffer, at: number): number {
    const end = Math.min(chunk.length, at + this.#length - this.#filled);
    if (this.#filled === 0) this.#isGarbage = !canBegin(chunk[at]);
    if (this.#isGarbage) this.#passGarbage(end - at);
    else if (end - at === this.#length) this.#endBody(chunk.subarray(at, end));
    else {
      this.#body ??= Buffer.allocUnsafe(this.#length);
      this.#filled += chunk.copy(this.#body, this.#filled, at, end);
      if (this.#filled === this.#length) this.#endBody(this.#body);
    }
    return end;
  }

  /** Skips bytes of a body that cannot be a message. */
  #passGarbage(bytes: number): void {
    this.#filled += bytes;
    if (this.#listener.refuse && this.#filled < this.#length) return;
    this.#length = 0;
    this.#refuse('not_json');
  }

  #endBody(body: Buffer): void {
    this.#length = 0;
    this.#body = undefined;
    const parsed = parseBody(body);
    if (parsed instanceof Promise) void this.#await(parsed);
    else this.#deliver(parsed);
  }

  #deliver(parsed: ParsedBody): void {
    if (typeof parsed === 'string') this.#refuse(parsed);
    else {
      this.#stray = { lines: 0, bytes: 0 };
      this.#listener.message(parsed.value);
    }
  }

  /** Waits for a large body: other work goes on meanwhile, but no later message overtakes it. */
  async #await(parsing: Promise<ParsedBody>): Promise<void> {
    this.#large += 1;
    this.#waiting = [];
    this.#listener.hold?.(true);
    const parsed = await parsing;
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    if (!this.#ended) {
      this.#deliver(parsed);
      for (const chunk of waiting) this.push(chunk);
    }
    // The listener may now act on the end of the stream: all input was delivered, unless it is large too.
    if (!this.#waiting) this.#listener.hold?.(false);
  }

  #refuse(fault: BodyFault): void {
    if (this.#listener.refuse) this.#listener.refuse(fault);
    else this.#fail(bodyFaults[fault]);
  }

  #fail(reason: string | undefined): void {
    if (reason === undefined) return;
    this.end();
    this.#listener.fault(reason);
  }
}

const tooLongHeader = `a header is longer than ${limits.frame.header} bytes`;
const tooMuchStray = `it wrote more than ${limits.frame.strayLines} lines or ${limits.frame.strayBytes} bytes outside its messages`;
