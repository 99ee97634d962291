import { limits } from '../core/limits.ts';
import { beginsHeader, type FrameHeader, hidesHeader, readField } from './frame-header.ts';
import { type BodyFault, bodyFaults, canBegin, type ParsedBody, parseBody } from './parse-body.ts';

/** Who hears what a frame reader found. */
export interface FrameListener {
  message(value: unknown): void;
  /** Hears of a body that is no message, after which the stream goes on; without this, such a body is a fault. */
  refuse?(fault: BodyFault): void;
  /** Tells what is wrong with a line between two frames that begins none, if anything; without this, nothing is. */
  judge?(line: string): string | undefined;
  /** Whether bytes should wait: a large message is being read, and what comes after it is heard after it. */
  hold?(isHeld: boolean): void;
  /** Comes at most once, and nothing comes after it. The reason is a clause about whoever writes. */
  fault(reason: string): void;
}

/**
 * Cuts the bytes of a language server, or of a program around lspan, into JSON values, each byte being looked at once.
 *
 * Between two frames, lines that begin no header are stray output: skipped and counted, at most
 * `limits.frame.strayLines` of `strayBytes` between one good frame and the next. Everything else that
 * is not a frame is a fault, after which the stream cannot be trusted and is not read on. A body is as long as its
 * header says, whatever it holds: a listener that wants to go on after a bad one can.
 */
export class FrameReader {
  readonly #listener: FrameListener;
  #ended = false;
  /** The line that is being read, one character a byte. */
  #line = '';
  #header: FrameHeader | undefined;
  /** The length of the body that is being read; 0 while a header is. */
  #length = 0;
  #body: Buffer | undefined;
  #filled = 0;
  /** Whether the body that is being read can be no message, and so is not kept. */
  #isGarbage = false;
  #stray = { lines: 0, bytes: 0 };
  #strayLines = 0;
  /** What came while a large body was being parsed. */
  #waiting: Buffer[] | undefined;
  #large = 0;

  constructor(listener: FrameListener) {
    this.#listener = listener;
  }

  /** How many stray lines were skipped so far. */
  get strayLines(): number {
    return this.#strayLines;
  }

  /** How many messages were too large to be parsed at once. */
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

  /** Forgets what was begun, and delivers nothing more. */
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

  /** How long the line may become, before it is known whether it begins a header. */
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

  /** Nothing of it is kept. */
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

  /** Other work goes on meanwhile, but nothing that comes after the message overtakes it. */
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
    // Whoever waits may act on the end of the bytes now: all that came before it has been heard, unless it is large too.
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
