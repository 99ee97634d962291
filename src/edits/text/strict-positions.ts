import type { Position, PositionEncoding } from '../../core/positions.ts';
import type { LineIndex } from './line-index.ts';

/** Converts positions to offsets, and corrects none: one that is not between two characters is about another text. */
export class StrictPositions {
  readonly #lines: LineIndex;
  readonly #encoding: PositionEncoding;
  /** The position found last, so that lookups in the order of the text walk each line once. */
  #cursor = { line: -1, units: 0, offset: 0 };

  constructor(lines: LineIndex, encoding: PositionEncoding) {
    this.#lines = lines;
    this.#encoding = encoding;
  }

  /** Returns the offset, or the fault of the position as the end of a sentence about it. */
  offset({ line, character }: Position): number | string {
    if (!isCount(line) || !isCount(character)) return 'is not made of whole numbers from 0 on';
    if (line >= this.#lines.count) return 'is past the end of the file';
    const [start, end] = [this.#lines.start(line), this.#lines.end(line)];
    const offset = this.#encoding === 'utf-16' ? start + character : this.#walk(line, character, end);
    if (typeof offset === 'string' || offset > end) return this.#beyond(line, offset);
    return splitsPair(this.#lines.text, offset) ? 'is inside a character (a surrogate pair)' : offset;
  }

  /** True if a position is the end of the text or anywhere after it. */
  isEndOrBeyond({ line, character }: Position): boolean {
    const last = this.#lines.count - 1;
    if (line !== last) return line > last;
    const offset = this.offset({ line, character });
    return typeof offset === 'string' ? offset === pastLine : offset === this.#lines.text.length;
  }

  #walk(line: number, wanted: number, end: number): number | string {
    const { text } = this.#lines;
    const width = widths[this.#encoding];
    let { units, offset } = this.#cursor;
    if (this.#cursor.line !== line || units > wanted) [units, offset] = [0, this.#lines.start(line)];
    while (units < wanted && offset < end) {
      const code = text.codePointAt(offset) ?? 0;
      units += width(code);
      offset += code > 0xffff ? 2 : 1;
    }
    if (units < wanted) return end + wanted - units;
    if (units > wanted) return 'is inside a character of several bytes';
    this.#cursor = { line, units, offset };
    return offset;
  }

  #beyond(line: number, offset: number | string): string {
    if (typeof offset === 'string') return offset;
    const between = offset === this.#lines.end(line) + 1 && this.#lines.ending(line) === '\r\n';
    return between ? 'is between the CR and the LF that end the line' : pastLine;
  }
}

const pastLine = 'is past the end of the line';

const widths: Readonly<Record<PositionEncoding, (code: number) => number>> = {
  'utf-8': (code) => (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4),
  'utf-16': (code) => (code < 0x10000 ? 1 : 2),
  'utf-32': () => 1,
};

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function splitsPair(text: string, offset: number): boolean {
  const [before, after] = [text.charCodeAt(offset - 1), text.charCodeAt(offset)];
  return (before & 0xfc00) === 0xd800 && (after & 0xfc00) === 0xdc00;
}
