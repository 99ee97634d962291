import { limits } from '../../core/limits.ts';
import { textAcrossLines } from '../lexical.ts';

/** The lines of a text, and which line above each is the nearest that is indented less. */
export class LineLayout {
  readonly #text: string;
  readonly #starts: number[] = [];
  readonly #indents: number[] = [];
  readonly #parents: number[] = [];
  /** The lines that may enclose the next one, each indented more than the one before. */
  readonly #open: number[] = [];

  /** @param skipped lines that enclose nothing, however they are indented @param last the last line that is of interest */
  constructor(file: string, text: string, skipped: RegExp, last: number) {
    this.#text = text;
    const strings = textAcrossLines(file, text);
    let string = 0;
    for (let start = 0; start <= text.length && this.#starts.length <= last; ) {
      while ((strings[string]?.end ?? Number.POSITIVE_INFINITY) <= start) string += 1;
      const isText = (strings[string]?.start ?? Number.POSITIVE_INFINITY) < start;
      const end = text.indexOf('\n', start);
      const beyond = end === -1 ? text.length : end;
      this.#add(start, beyond, isText, skipped);
      start = beyond + 1;
    }
  }

  get count(): number {
    return this.#starts.length;
  }

  /** Returns the nearest line above that is indented less, or -1. */
  parent(line: number): number {
    return this.#parents[line] ?? -1;
  }

  /** Infinite for a blank line. */
  indent(line: number): number {
    return this.#indents[line] ?? 0;
  }

  /** Returns the text of a line without the spaces around it. */
  line(line: number): string {
    const start = this.#starts[line] ?? this.#text.length;
    const end = this.#text.indexOf('\n', start);
    return this.#text.slice(start, end === -1 ? undefined : end).trim();
  }

  #add(start: number, beyond: number, isText: boolean, skipped: RegExp): void {
    const text = this.#text;
    const first = firstVisible(text, start, beyond);
    const indent = first === beyond ? Number.POSITIVE_INFINITY : widthOf(text, start, first);
    const encloses = !isText && first < beyond && !skipped.test(text.slice(first, beyond));
    const line = this.#starts.length;
    this.#starts.push(start);
    this.#indents.push(indent);
    if (encloses) while (this.#open.length > 0 && this.#indentOfLast() >= indent) this.#open.pop();
    // What stands in a string is where the string begins.
    const parent = isText ? this.#open.at(-1) : this.#open.findLast((one) => this.indent(one) < indent);
    this.#parents.push(parent ?? -1);
    if (encloses) this.#open.push(line);
  }

  #indentOfLast(): number {
    return this.indent(this.#open.at(-1) ?? 0);
  }
}

function firstVisible(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && text.charCodeAt(at) <= space) at += 1;
  return at;
}

function widthOf(text: string, start: number, end: number): number {
  const { tabWidth } = limits.outlines;
  let width = 0;
  for (let at = start; at < end; at += 1) width += text[at] === '\t' ? tabWidth - (width % tabWidth) : 1;
  return width;
}

const space = ' '.charCodeAt(0);
