/**
 * Knows where the lines of a text begin and how each ends: with `\n`, `\r\n` or `\r`, as specified.
 * https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocuments
 */
export class LineIndex {
  readonly text: string;
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.text = text;
    this.#starts = lineStarts(text);
  }

  get count(): number {
    return this.#starts.length;
  }

  start(line: number): number {
    return this.#starts[line] ?? this.text.length;
  }

  /** Returns the offset where the content of a line ends and its line ending begins. */
  end(line: number): number {
    return this.start(line + 1) - this.ending(line).length;
  }

  /** Returns the line ending; empty for the last line. */
  ending(line: number): string {
    if (line < 0 || line + 1 >= this.count) return '';
    const next = this.start(line + 1);
    if (this.text[next - 1] === '\r') return '\r';
    // The `\r` belongs to this line: one that ended the line before would form a `\r\n` with this `\n`.
    return this.text[next - 2] === '\r' ? '\r\n' : '\n';
  }

  /** Returns the ending for a line inserted here: that of this line, or of the last but one; empty if there is none. */
  endingNear(line: number): string {
    return this.ending(line) || this.ending(this.count - 2);
  }

  lineAt(offset: number): number {
    let [line, beyond] = [0, this.count];
    while (beyond - line > 1) {
      const middle = (line + beyond) >>> 1;
      if (this.start(middle) <= offset) line = middle;
      else beyond = middle;
    }
    return line;
  }
}

/** A line, or its portion in a part of a text. */
export interface LineOfText {
  readonly content: string;
  /** Empty if the part ends before the line does. */
  readonly ending: string;
}

/** Splits a part of a text into lines; the last one has no ending. */
export function cutLines(part: string): LineOfText[] {
  const starts = lineStarts(part);
  return starts.map((start, line) => {
    const whole = part.slice(start, starts[line + 1] ?? part.length);
    const ending = /\r\n?$|\n$/.exec(line + 1 < starts.length ? whole.slice(-2) : '')?.[0] ?? '';
    return { content: whole.slice(0, whole.length - ending.length), ending };
  });
}

function lineStarts(text: string): number[] {
  const starts = [0];
  if (text.includes('\r')) {
    const ending = /\r\n?|\n/g;
    while (ending.test(text)) starts.push(ending.lastIndex);
  } else for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
