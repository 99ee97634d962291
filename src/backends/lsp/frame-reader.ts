import { isUtf8 } from 'node:buffer';
import { LspanError } from '../../core/errors.ts';
import { isDeeperThan } from '../../core/json-depth.ts';
import { limits } from '../../core/limits.ts';
import { Pace } from '../../core/pace.ts';
import { beginsHeader, type FrameHeader, hidesHeader, readField } from './frame-header.ts';
import { LargeJson } from './large-json.ts';

/** Who hears what a frame reader found. */
export interface FrameListener {
  message(value: unknown): void;
  /** Whether bytes should wait: a large message is being read, and what comes after it is heard after it. */
  hold?(isHeld: boolean): void;
  /** Comes at most once, and nothing comes after it. */
  fault(error: LspanError): void;
}

/**
 * Cuts the bytes of a language server into JSON values, each byte being looked at once.
 *
 * Between two frames, lines that begin no header are stray output: skipped and counted, at most
 * `limits.frame.strayLines` of `strayBytes` between one good frame and the next. Everything else that
 * is not a frame is a fault, after which the stream cannot be trusted and is not read on.
 */
export class FrameReader {
  readonly #server: string;
  readonly #listener: FrameListener;
  #ended = false;
  /** The line that is being read, one character a byte. */
  #line = '';
  #header: FrameHeader | undefined;
  /** The length of the body that is being read; 0 while a header is. */
  #length = 0;
  #body: Buffer | undefined;
  #filled = 0;
  #stray = { lines: 0, bytes: 0 };
  #strayLines = 0;
  /** What came while a large body was being parsed. */
  #waiting: Buffer[] | undefined;
  #large = 0;

  constructor(server: string, listener: FrameListener) {
    this.#server = server;
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
    if (this.#filled === 0 && !beginsJson.has(chunk[at])) {
      this.#fail(notJson);
      return end;
    }
    if (end - at === this.#length) {
      this.#fail(this.#endBody(chunk.subarray(at, end)));
      return end;
    }
    this.#body ??= Buffer.allocUnsafe(this.#length);
    this.#filled += chunk.copy(this.#body, this.#filled, at, end);
    if (this.#filled === this.#length) this.#fail(this.#endBody(this.#body));
    return end;
  }

  #endBody(body: Buffer): string | undefined {
    this.#length = 0;
    this.#body = undefined;
    if (!isUtf8(body)) return 'a message is not valid UTF-8';
    if (body.length > limits.frame.atOnce) {
      void this.#parseLarge(body);
      return undefined;
    }
    if (isDeeperThan(body, limits.frame.depth)) return tooDeep;
    const json = parse(body);
    if (json === undefined) return notJson;
    this.#deliver(json.value);
    return undefined;
  }

  #deliver(value: unknown): void {
    this.#stray = { lines: 0, bytes: 0 };
    this.#listener.message(value);
  }

  /** Other work goes on meanwhile, but nothing that comes after the message overtakes it. */
  async #parseLarge(body: Buffer): Promise<void> {
    this.#large += 1;
    this.#waiting = [];
    this.#listener.hold?.(true);
    const parsed = await parseInSlices(body);
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    this.#listener.hold?.(false);
    if (this.#ended) return;
    if (typeof parsed === 'string') this.#fail(parsed);
    else this.#deliver(parsed.value);
    for (const chunk of waiting) this.push(chunk);
  }

  #fail(reason: string | undefined): void {
    if (reason === undefined) return;
    this.end();
    this.#listener.fault(
      new LspanError('server_crashed', `The language server ${this.#server} broke the protocol: ${reason}.`, {
        nextStep:
          'Call again: the server is started anew. If it happens again, get_server_status tells more.',
      }),
    );
  }
}

const tooLongHeader = `a header is longer than ${limits.frame.header} bytes`;
const notJson = 'a message is not JSON, or its length was told wrongly';
const tooDeep = `a message nests deeper than ${limits.frame.depth} levels`;
const tooMuchStray = `it wrote more than ${limits.frame.strayLines} lines or ${limits.frame.strayBytes} bytes outside its messages`;

/** With what a message, blanks or a byte order mark before it can begin: garbage is not kept until its claimed end. */
const beginsJson: ReadonlySet<number | undefined> = new Set(
  Buffer.from(' \t\r\n{["-0123456789tfn\xef', 'latin1'),
);

/** The value, or what is wrong. */
async function parseInSlices(body: Buffer): Promise<{ readonly value: unknown } | string> {
  const [json, pace] = [new LargeJson(body), new Pace()];
  try {
    for (;;) {
      await pace.rest();
      let progress = json.advance();
      while (progress === 'more' && !pace.isLate()) progress = json.advance();
      if (progress === 'too_deep') return tooDeep;
      if (progress === 'done') return json;
    }
  } catch {
    return notJson;
  }
}

function parse(body: Buffer): { readonly value: unknown } | undefined {
  const hasByteOrderMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  try {
    return { value: JSON.parse(body.toString('utf8', hasByteOrderMark ? 3 : 0)) };
  } catch {
    return undefined;
  }
}
