import { limits } from '../core/limits.ts';
import { type BodyFault, bodyFaults, canBegin, type ParsedBody, parseBody } from './parse-body.ts';

/** Receives what a frame reader finds. */
interface FrameListener {
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

/** Header of one frame, as far as it has been read. */
interface FrameHeader {
  length: number | undefined;
  bytes: number;
}

/**
 * Reads one line into a header; returns its fault, if any.
 *
 * | Line | Verdict |
 * |---|---|
 * | `Content-Length: 30`, `content-length: 30`, `Content-Length:30`, `Content-Length : 30`, value ` 30 ` or `030` | 30 |
 * | the same length twice | accepted |
 * | two different lengths | fault |
 * | `-1`, `+30`, `0`, `0x1e`, `30abc`, `3e1`, `1e3`, `30.0`, `30 30`, any non-digit, an empty value | fault |
 * | more than `limits.frame.body`, also with 400 digits | fault |
 * | `Content-Type` without charset, or with `utf-8`, `utf8`, in any case and quoted or not | accepted |
 * | `Content-Type` with another charset | fault |
 * | any other `Name: value` | ignored |
 * | a line that is not a field | fault |
 *
 * Lines may end in CR LF or LF: only the length determines the end of the body.
 */
function readField(header: FrameHeader, line: string): string | undefined {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0)).trimEnd();
  if (!fieldName.test(name)) return 'a header line is not a header field';
  const read = fields.get(name.toLowerCase());
  return read?.(header, line.slice(colon + 1).trim());
}

/** Returns whether a line between two frames begins a header; any other line is stray output. */
function beginsHeader(line: string): boolean {
  return /^content-(?:length|type)[ \t]*:/i.test(line);
}

/** Returns whether a line contains a header: skipping the line as stray output would lose a message. */
function hidesHeader(line: string): boolean {
  return /content-length[ \t]*:/i.test(line);
}

const fieldName = /^[!#$%&'*+.^_`|~\w-]+$/;

type FieldReader = (header: FrameHeader, value: string) => string | undefined;

const fields: ReadonlyMap<string, FieldReader> = new Map([
  ['content-length', readLength],
  ['content-type', readType],
]);

function readLength(header: FrameHeader, value: string): string | undefined {
  if (!/^\d+$/.test(value)) return 'Content-Length is not a whole number';
  const length = Number(value);
  if (length === 0) return 'Content-Length is 0';
  if (length > limits.frame.body) return `Content-Length is above ${limits.frame.body} bytes`;
  if (header.length !== undefined && header.length !== length) return 'a header has two lengths';
  header.length = length;
  return undefined;
}

function readType(_header: FrameHeader, value: string): string | undefined {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(value)?.[1]?.toLowerCase();
  const known = charset === undefined || charset === 'utf-8' || charset === 'utf8';
  return known ? undefined : 'the charset is not UTF-8';
}
