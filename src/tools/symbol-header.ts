import { extname } from 'node:path';
import { lexicalAt } from '../core/lexical.ts';
import type { Document } from '../workspace/document.ts';

/** What a line above a declaration is to it. */
export type HeaderPart = 'comment' | 'decorator';

/** The lines of a text as they are to a language: what is comment, what is a decorator, what is inside a string. */
export class HeaderReader {
  readonly #document: Document;
  readonly #file: string;
  readonly #starts: number[] = [0];

  constructor(document: Document) {
    this.#document = document;
    this.#file = document.path;
    const ending = /\r\n?|\n/g;
    while (ending.test(document.text)) this.#starts.push(ending.lastIndex);
  }

  /** The first of the lines directly above a line that document or decorate what begins there. */
  firstAbove(line: number): number {
    let first = line;
    for (;;) {
      const above = this.#decoratorAbove(first) ?? this.#commentAbove(first);
      if (above === undefined) return first;
      first = above;
    }
  }

  /** The parts of the header between two lines, in order; the second line is not part of it. */
  partsBetween(
    first: number,
    end: number,
  ): { readonly part: HeaderPart; readonly from: number; readonly to: number }[] {
    const parts: { part: HeaderPart; from: number; to: number }[] = [];
    for (let line = first; line < end; ) {
      const to = this.#endOfPart(line, end);
      if (to === undefined) break;
      parts.push({ part: this.#isComment(line) ? 'comment' : 'decorator', from: line, to });
      line = to;
    }
    return parts;
  }

  /** Whether a line begins inside a string that began above it. */
  beginsInString(line: number): boolean {
    return (
      this.#kindAt(this.#startOf(line)) === 'string' && this.#kindAt(this.#startOf(line) - 1) === 'string'
    );
  }

  #endOfPart(line: number, end: number): number | undefined {
    if (this.#isComment(line)) {
      let to = line + 1;
      // As long as the newline itself is part of the comment.
      while (to < end && this.#kindAt(this.#startOf(to) - 1) === 'comment') to += 1;
      return to;
    }
    if (!this.#isDecorator(line)) return undefined;
    for (let to = line + 1; to <= end; to += 1) if (this.#isBalanced(line, to)) return to;
    return undefined;
  }

  #commentAbove(line: number): number | undefined {
    const last = line - 1;
    if (last < 0 || !this.#isComment(last) || this.#text(last).startsWith('#!')) return undefined;
    let first = last;
    while (first > 0 && this.#kindAt(this.#startOf(first) - 1) === 'comment') first -= 1;
    const isWhole = this.#isComment(first) && this.#endsWithComment(last);
    return isWhole && this.#indentation(first) === this.#indentation(line) ? first : undefined;
  }

  #decoratorAbove(line: number): number | undefined {
    const own = this.#indentation(line);
    for (let first = line - 1; first >= Math.max(0, line - longest); first -= 1) {
      const text = this.#text(first);
      if (text.trim() === '') return undefined;
      if (this.#isDecorator(first) && this.#indentation(first) === own)
        return this.#isBalanced(first, line) ? first : undefined;
      // Lines of one that is written over several are indented, but for the bracket that closes it.
      const goesOn = this.#indentation(first).length > own.length || /^\s*[)\]}]/.test(text);
      if (!goesOn) return undefined;
    }
    return undefined;
  }

  #isDecorator(line: number): boolean {
    const text = this.#text(line);
    if (this.#kindAt(this.#startOf(line) + this.#indentation(line).length) !== 'code') return false;
    const sharp = extname(this.#file) === '.cs' && /^\s*\[[A-Za-z]/.test(text);
    return sharp || /^\s*(?:@[\p{L}_$]|#!?\[|\[\[|template\s*<)/u.test(text);
  }

  #isComment(line: number): boolean {
    const text = this.#text(line);
    return text.trim() !== '' && this.#kindAt(this.#startOf(line) + text.search(/\S/)) === 'comment';
  }

  #endsWithComment(line: number): boolean {
    return this.#kindAt(this.#startOf(line) + this.#text(line).trimEnd().length - 1) === 'comment';
  }

  /** Whether every bracket that is opened from one line to before another is closed there, strings apart. */
  #isBalanced(first: number, end: number): boolean {
    const [from, to] = [this.#startOf(first), this.#startOf(end)];
    const brackets = [...this.#document.text.slice(from, to).matchAll(/[()[\]{}]/g)];
    const kinds = lexicalAt(
      this.#file,
      this.#document.text,
      brackets.map(({ index }) => from + index),
    );
    const open = brackets.filter((_, index) => kinds[index] === 'code').map(([bracket]) => bracket);
    return open.reduce((depth, bracket) => depth + ('([{'.includes(bracket) ? 1 : -1), 0) === 0;
  }

  #kindAt(offset: number) {
    return offset < 0 ? 'code' : lexicalAt(this.#file, this.#document.text, [offset])[0];
  }

  #startOf(line: number): number {
    return this.#starts[line] ?? this.#document.text.length;
  }

  #text(line: number): string {
    return this.#document.line(line);
  }

  #indentation(line: number): string {
    return /^\s*/.exec(this.#text(line))?.[0] ?? '';
  }
}

/** As many lines as a decorator is looked for above. */
const longest = 60;
