import { limits } from '../core/limits.ts';

type Progress = 'more' | 'done' | 'too_deep';

/**
 * Parses JSON that is too large to be parsed at once, in one pass: cuts it at commas into pieces, which the
 * engine parses, and joins them to one value. The value and the refused texts are the same as the engine's.
 */
export class LargeJson {
  readonly #text: Buffer;
  readonly #piece: number;
  readonly #depth: number;
  /** Offset after a byte order mark. */
  readonly #start: number;
  readonly #levels: JsonLevel[] = [];
  /** Number of levels, from the outermost, that are values already; the inner ones are still text. */
  #built = 0;
  #at: number;
  #string: LongString | undefined;
  #root: { readonly value: unknown; readonly end: number } | undefined;

  /** @param text Valid UTF-8. */
  constructor(text: Buffer, { piece, depth }: { piece: number; depth: number } = limits.frame) {
    this.#text = text;
    this.#piece = piece;
    this.#depth = depth;
    this.#start = text[0] === 0xef ? 3 : 0;
    this.#at = this.#start;
  }

  /** The whole value, once parsing is done. */
  get value(): unknown {
    return this.#root?.value;
  }

  /** Parses about one more piece. Throws a `SyntaxError` if the text is not JSON. */
  advance(): Progress {
    const end = Math.min(this.#text.length, this.#at + this.#piece);
    while (this.#at < end) {
      if (this.#string) this.#readString(this.#string, end);
      else this.#readStructure(end);
      if (this.#levels.length > this.#depth) return 'too_deep';
    }
    if (this.#at < this.#text.length) return 'more';
    this.#finish();
    return 'done';
  }

  #readStructure(end: number): void {
    const text = this.#text;
    for (let at = this.#at; at < end; at += 1) {
      const byte = text[at];
      if (byte === quote) {
        this.#string = { start: at, cut: at + 1, parts: undefined };
        this.#at = at + 1;
        return;
      }
      if (byte === comma) this.#passComma(at);
      else if (byte === openBrace || byte === openBracket) {
        this.#open(at, byte === openBrace);
        if (this.#levels.length > this.#depth) return;
      } else if (byte === closeBrace || byte === closeBracket) this.#close(at, byte === closeBrace);
    }
    this.#at = end;
  }

  /** Bytes of a multi-byte character are all above 0x7f, so none is mistaken for a quote. */
  #readString(string: LongString, end: number): void {
    const text = this.#text;
    let at = this.#at;
    while (at < end && text[at] !== quote) {
      if (text[at] !== backslash) at += 1;
      else at += text[at + 1] === letterU ? 6 : 2;
    }
    this.#at = at;
    if (at >= end) this.#cutString(string);
    else {
      if (string.parts) this.#endString(string, string.parts);
      this.#string = undefined;
      this.#at += 1;
    }
  }

  /** Cuts a string that is longer than a piece: it becomes a value of its own, joined from parts. */
  #cutString(string: LongString): void {
    let until = this.#at;
    if (until - string.cut < this.#piece || until >= this.#text.length) return;
    if (string.parts === undefined) {
      // The name of a member is not a value.
      if (this.#levels.at(-1)?.isValueAt(string.start) !== true) return;
      this.#build();
    }
    while (isContinuation(this.#text[until])) until -= 1;
    string.parts ??= [];
    string.parts.push(JSON.parse(`"${sliceOf(this.#text, string.cut, until)}"`));
    string.cut = until;
  }

  #endString({ start, cut }: LongString, parts: readonly string[]): void {
    const last: string = JSON.parse(`"${sliceOf(this.#text, cut, this.#at)}"`);
    const level = this.#levels.at(-1);
    level?.attach(start, [...parts, last].join(''));
    if (level) level.cut = this.#at + 1;
  }

  #open(at: number, isObject: boolean): void {
    const isFirst = this.#levels.length === 0;
    if (isFirst && (this.#root || !isBlank(sliceOf(this.#text, this.#start, at)))) throw noJson();
    this.#levels.push(new JsonLevel(this.#text, at, isObject));
  }

  #passComma(at: number): void {
    const level = this.#levels.at(-1);
    if (level === undefined) throw noJson();
    const from = this.#levels[Math.max(0, this.#built - 1)]?.cut ?? at;
    if (at - from >= this.#piece) this.#build();
    if (level.value && (level.isFilled || at - level.cut >= this.#piece)) level.take(at);
    level.comma = at + 1;
  }

  #close(at: number, isObject: boolean): void {
    const level = this.#levels.pop();
    if (level === undefined) throw noJson();
    const parent = this.#levels.at(-1);
    const end = at + 1;
    if (level.value) {
      if (level.isObject !== isObject) throw noJson();
      level.takeLast(at);
      this.#built -= 1;
      if (parent) parent.cut = end;
    }
    if (parent) return;
    this.#root = { value: level.value ?? JSON.parse(sliceOf(this.#text, level.start, end)), end };
  }

  /** Makes values of all levels that are still text, each with its text before its last comma. */
  #build(): void {
    for (const level of this.#levels.slice(this.#built)) {
      this.#levels[this.#built - 1]?.attach(level.start, level.build());
      level.build();
      this.#built += 1;
    }
  }

  #finish(): void {
    const end = this.#text.length;
    if (this.#string || this.#levels.length > 0) throw noJson();
    this.#root ??= { value: JSON.parse(sliceOf(this.#text, this.#start, end)), end };
    if (!isBlank(sliceOf(this.#text, this.#root.end, end))) throw noJson();
  }
}

interface LongString {
  readonly start: number;
  cut: number;
  parts: string[] | undefined;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte < 0xc0;
}

const quote = 0x22;

const comma = 0x2c;

const backslash = 0x5c;

const letterU = 0x75;

const openBracket = 0x5b;

const closeBracket = 0x5d;

const openBrace = 0x7b;

const closeBrace = 0x7d;

/** An unfinished list or object in a large text: its value so far, and the text that is not in it yet. */
class JsonLevel {
  readonly isObject: boolean;
  readonly start: number;
  /** Offset after its last comma. */
  comma: number;
  /** Offset from which its text is not in its value yet. */
  cut: number;
  readonly #text: Buffer;
  /** True if its last value is attached: only blanks may come before the next comma. */
  #isFilled = false;
  #value: unknown[] | Record<string, unknown> | undefined;

  constructor(text: Buffer, start: number, isObject: boolean) {
    this.#text = text;
    this.isObject = isObject;
    this.start = start;
    this.comma = start + 1;
    this.cut = start + 1;
  }

  /** Value so far; `undefined` while it is only text. */
  get value(): unknown {
    return this.#value;
  }

  get isFilled(): boolean {
    return this.#isFilled;
  }

  build(): unknown {
    this.#value ??= this.isObject ? {} : [];
    return this.#value;
  }

  /** Returns whether a string at this offset is a value, not the name of a member. */
  isValueAt(start: number): boolean {
    return !this.isObject || !isBlank(sliceOf(this.#text, this.comma, start));
  }

  /** Adds a value whose text starts at this offset, after the text before it. */
  attach(start: number, value: unknown): void {
    if (this.#isFilled) throw noJson();
    if (this.comma > this.cut) this.take(this.comma - 1);
    const before = sliceOf(this.#text, this.comma, start);
    if (Array.isArray(this.#value)) {
      if (!isBlank(before)) throw noJson();
      this.#value.push(value);
    } else if (this.#value) {
      const [name, ...others] = Object.keys(JSON.parse(`{${before}null}`));
      if (name === undefined || others.length > 0) throw noJson();
      setMember(this.#value, name, value);
    }
    this.#isFilled = true;
  }

  /** Adds the text before a comma. */
  take(until: number): void {
    const text = sliceOf(this.#text, this.cut, until);
    this.cut = until + 1;
    if (this.#isFilled !== isBlank(text)) throw noJson();
    if (!this.#isFilled) this.#append(text);
    this.#isFilled = false;
  }

  /** Adds the text before its end. */
  takeLast(end: number): void {
    const isEmpty = this.comma === this.start + 1 && !this.#isFilled;
    if (!isEmpty || !isBlank(sliceOf(this.#text, this.cut, end))) this.take(end);
  }

  #append(text: string): void {
    if (Array.isArray(this.#value)) {
      for (const each of JSON.parse(`[${text}]`)) this.#value.push(each);
    } else if (this.#value) {
      const members = Object.entries(JSON.parse(`{${text}}`));
      for (const [name, value] of members) setMember(this.#value, name, value);
    }
  }
}

/** Returns the error for a text that is not JSON, of the class that the engine throws. */
function noJson(): SyntaxError {
  return new SyntaxError('This is not JSON.');
}

/** Returns whether a text has only JSON whitespace. */
function isBlank(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text);
}

/** Decodes some of the bytes. */
function sliceOf(text: Buffer, from: number, to: number): string {
  return text.toString('utf8', from, to);
}

/** Sets a member as the engine does: `__proto__` is an ordinary member. */
function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}
