/** A template of a script, which may hold others: `total ${all ? `of ${n}` : ''}`. */
export interface Template {
  readonly end: number;
  /** Its text and the strings in its expressions, in order; everything else is code. */
  readonly strings: readonly { readonly start: number; readonly end: number }[];
}

/** Reads the template that begins at a back quote; `undefined` if it does not end. */
export function templateAt(text: string, start: number): Template | undefined {
  const reader = new Reader(text, start);
  while (reader.isWithin()) if (!reader.step()) return undefined;
  return { end: reader.at, strings: reader.strings };
}

class Reader {
  readonly strings: { readonly start: number; readonly end: number }[] = [];
  at: number;
  readonly #text: string;
  /** Where the text began in which this is; `undefined` in an expression. */
  #begin: number | undefined;
  /** For each expression around, how many braces are open in it. */
  readonly #braces: number[] = [];

  constructor(text: string, start: number) {
    this.#text = text;
    this.#begin = start;
    this.at = start + 1;
  }

  isWithin(): boolean {
    return this.#begin !== undefined || this.#braces.length > 0;
  }

  /** Reads up to the next mark, and what that begins or ends. */
  step(): boolean {
    const marks = this.#begin === undefined ? marksOfCode : marksOfText;
    marks.lastIndex = this.at;
    const mark = marks.exec(this.#text);
    if (!mark) return false;
    this.at = mark.index + mark[0].length;
    if (this.#begin === undefined) this.#stepInCode(mark.index, mark[0]);
    else if (mark[0] === '\\') this.at += 1;
    else {
      this.strings.push({ start: this.#begin, end: this.at });
      this.#begin = undefined;
      if (mark[0] !== '`') this.#braces.push(0);
    }
    return true;
  }

  #stepInCode(start: number, mark: string): void {
    if (mark === '`') this.#begin = start;
    else if (mark === '{') this.#braces.push((this.#braces.pop() ?? 0) + 1);
    else if (mark === '}') {
      const depth = this.#braces.pop() ?? 0;
      if (depth === 0) this.#begin = start;
      else this.#braces.push(depth - 1);
    } else {
      skipped.lastIndex = start;
      const [whole] = skipped.exec(this.#text) ?? [];
      if (whole === undefined) return;
      this.at = start + whole.length;
      this.strings.push({ start, end: this.at });
    }
  }
}

/** What may end a text or an expression, and begin what is no code in the latter. */
const marksOfText = /[\\`]|\$\{/g;
const marksOfCode = /[`'"{}/]/g;
/** A string, a comment, or a regular expression, where no division is possible; bounded, since each mark is tried. */
const skipped =
  /(['"])(?:\\.|(?!\1)[^\\\n]){0,999}\1|\/\/[^\n]*|\/\*[\s\S]{0,999}?\*\/|(?<=[(,=:[!&|?{};]\s{0,9})\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n]){0,99}\]|[^/\\\n[]){1,299}\//y;
