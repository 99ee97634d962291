/** A list or an object of a large text that has begun and not ended: its value so far, and the text that is not in it yet. */
export class JsonLevel {
  readonly isObject: boolean;
  readonly start: number;
  /** After its last comma. */
  comma: number;
  /** From where on its text has not become a part of its value. */
  cut: number;
  readonly #text: Buffer;
  /** Its last value was put in, and only blanks may come before the next comma. */
  #isFilled = false;
  #value: unknown[] | Record<string, unknown> | undefined;

  constructor(text: Buffer, start: number, isObject: boolean) {
    this.#text = text;
    this.isObject = isObject;
    this.start = start;
    this.comma = start + 1;
    this.cut = start + 1;
  }

  /** Its value so far; nothing while it is still only text. */
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

  /** Whether what starts there is no name of a member. */
  isValueAt(start: number): boolean {
    return !this.isObject || !isBlank(sliceOf(this.#text, this.comma, start));
  }

  /** Puts a value in whose text starts there, after what stands before it. */
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

  /** Takes in what stands before a comma. */
  take(until: number): void {
    const text = sliceOf(this.#text, this.cut, until);
    this.cut = until + 1;
    if (this.#isFilled !== isBlank(text)) throw noJson();
    if (!this.#isFilled) this.#append(text);
    this.#isFilled = false;
  }

  /** Takes in what stands before its end. */
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

/** What is thrown where a text is no JSON, as the engine does. */
export function noJson(): SyntaxError {
  return new SyntaxError('This is not JSON.');
}

/** Whether there are only blanks, as JSON knows them. */
export function isBlank(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text);
}

/** The text of some bytes. */
export function sliceOf(text: Buffer, from: number, to: number): string {
  return text.toString('utf8', from, to);
}

/** As the engine does it: a member of this name is a member like others. */
function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}
