/** An unfinished list or object in a large text: its value so far, and the text that is not in it yet. */
export class JsonLevel {
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
export function noJson(): SyntaxError {
  return new SyntaxError('This is not JSON.');
}

/** Returns whether a text has only JSON whitespace. */
export function isBlank(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text);
}

/** Decodes some of the bytes. */
export function sliceOf(text: Buffer, from: number, to: number): string {
  return text.toString('utf8', from, to);
}

/** Sets a member as the engine does: `__proto__` is an ordinary member. */
function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}
