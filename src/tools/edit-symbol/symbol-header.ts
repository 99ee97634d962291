import { extname } from 'node:path';
import { limits } from '../../core/limits.ts';
import { type Lexical, lexicalAt } from '../../source-text/lexical.ts';
import type { Document } from '../../workspace/texts/document.ts';
import { isAboutFile, isDirective } from './tool-comments.ts';

/** Lines above a declaration that belong to it; a directive is a comment for tools. `to` is the line after them. */
export interface HeaderPart {
  readonly part: 'comment' | 'directive' | 'decorator';
  readonly from: number;
  readonly to: number;
}

/** Classifies the lines above declarations: comments, decorators, or neither. */
export class HeaderReader {
  readonly #document: Document;
  readonly #lines: readonly Line[];

  constructor(document: Document) {
    this.#document = document;
    this.#lines = readLines(document);
  }

  /**
   * Returns the first of the lines directly above a line that document or decorate what begins there. Lines before
   * `from` are not looked at: they are those of another symbol.
   */
  firstAbove(line: number, from = 0): number {
    let first = line;
    for (;;) {
      const above = this.#decoratorAbove(first) ?? this.#commentAbove(first);
      if (above === undefined || above < from) return first;
      first = above;
    }
  }

  /** Returns the parts of a header from a line up to, but not including, another. */
  partsBetween(first: number, end: number): HeaderPart[] {
    const parts: HeaderPart[] = [];
    for (let from = first; from < end; ) {
      const to = this.#endOfPart(from, end);
      if (to === undefined) break;
      parts.push({ part: this.#partAt(from), from, to });
      from = to;
    }
    return parts;
  }

  #partAt(line: number): HeaderPart['part'] {
    if (!this.#isComment(line)) return 'decorator';
    return isDirective(this.#document.path, this.#lines[line]?.text ?? '') ? 'directive' : 'comment';
  }

  /** Returns whether a line begins inside a string. */
  beginsInString(line: number): boolean {
    return this.#lines[line]?.break === 'string';
  }

  #endOfPart(line: number, end: number): number | undefined {
    if (this.#isComment(line)) {
      let to = line + 1;
      while (to < end && this.#lines[to]?.break === 'comment') to += 1;
      return to;
    }
    if (!this.#isDecorator(line)) return undefined;
    for (let to = line + 1; to <= end; to += 1) if (this.#isBalanced(line, to)) return to;
    return undefined;
  }

  #commentAbove(line: number): number | undefined {
    const last = line - 1;
    if (!this.#isComment(last)) return undefined;
    let first = last;
    while (first > 0 && this.#lines[first]?.break === 'comment') first -= 1;
    const isWhole = this.#isComment(first) && this.#lines[last]?.end === 'comment';
    if (isAboutFile(this.#document.path, this.#lines[first]?.text ?? '', first)) return undefined;
    return isWhole && this.#indentation(first) === this.#indentation(line) ? first : undefined;
  }

  #decoratorAbove(line: number): number | undefined {
    if (this.#endsDeclaration(line - 1)) return undefined;
    const own = this.#indentation(line);
    for (let first = line - 1; first >= Math.max(0, line - limits.editSymbol.headerLines); first -= 1) {
      const { text = '' } = this.#lines[first] ?? {};
      if (text.trim() === '') return undefined;
      if (this.#isDecorator(first) && this.#indentation(first) === own)
        return this.#isBalanced(first, line) ? first : undefined;
      // Further lines of a decorator are indented, except for the bracket that closes it.
      const isContinuation = this.#indentation(first).length > own.length || /^\s*[)\]}]/.test(text);
      if (!isContinuation) return undefined;
    }
    return undefined;
  }

  /** Returns whether a line ends like a declaration, such as `@Input() name = '';`, and not like a decorator. */
  #endsDeclaration(line: number): boolean {
    const { text = '', offset = 0 } = this.#lines[line] ?? {};
    const from = Math.max(0, text.length - limits.editSymbol.lineEnd);
    const marks = [...text.slice(from).matchAll(/\S/g)].map(({ index }) => from + index);
    const kinds = lexicalAt(
      this.#document.path,
      this.#document.text,
      marks.map((index) => offset + index),
    );
    const last = marks.findLast((_, at) => kinds[at] !== 'comment');
    return last !== undefined && ';,{}'.includes(text.charAt(last));
  }

  #isDecorator(line: number): boolean {
    const { text = '', begin } = this.#lines[line] ?? {};
    // In some languages `#` begins a comment, and `@` has no meaning.
    if (begin !== 'code') return false;
    const isAttribute = extname(this.#document.path) === '.cs' && /^\s*\[[A-Za-z]/.test(text);
    return isAttribute || decorator.test(text);
  }

  #isComment(line: number): boolean {
    return this.#lines[line]?.begin === 'comment';
  }

  #indentation(line: number): string {
    return /^\s*/.exec(this.#lines[line]?.text ?? '')?.[0] ?? '';
  }

  /** Returns whether the brackets from one line to before another are balanced, strings excluded. */
  #isBalanced(first: number, end: number): boolean {
    const { path, text } = this.#document;
    const from = this.#lines[first]?.offset ?? 0;
    const to = this.#lines[end]?.offset ?? text.length;
    const brackets = [...text.slice(from, to).matchAll(/[()[\]{}]/g)];
    const kinds = lexicalAt(
      path,
      text,
      brackets.map(({ index }) => from + index),
    );
    const depths = brackets.map(([bracket], at) =>
      kinds[at] !== 'code' ? 0 : '([{'.includes(bracket) ? 1 : -1,
    );
    return depths.reduce<number>((sum, depth) => sum + depth, 0) === 0;
  }
}

const decorator = /^\s*(?:@[\p{L}_$]|#\[|\[\[|template\s*<|alignas\s*\(|extern\s+"C(?:\+\+)?"\s*$)/u;

/** Returns the number of characters that a line is indented by. */
export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** A line, and the lexical kind of its first and last character and of the line break before it. */
interface Line {
  readonly text: string;
  readonly offset: number;
  readonly break: Lexical | undefined;
  readonly begin: Lexical | undefined;
  readonly end: Lexical | undefined;
}

function readLines(document: Document): Line[] {
  const texts = Array.from({ length: document.lineCount }, (_, line) => document.line(line));
  const starts = [
    0,
    ...[...document.text.matchAll(/\r\n?|\n/g)].map(({ 0: mark, index }) => index + mark.length),
  ];
  const offsets = texts.flatMap((text, line) => {
    const start = starts[line] ?? 0;
    return [
      Math.max(0, start - 1),
      start + Math.max(0, text.search(/\S/)),
      start + Math.max(0, text.trimEnd().length - 1),
    ];
  });
  const kinds = lexicalAt(document.path, document.text, offsets);
  return texts.map((text, line) => ({
    text,
    offset: starts[line] ?? 0,
    break: line === 0 ? 'code' : kinds[line * 3],
    begin: text.trim() === '' ? undefined : kinds[line * 3 + 1],
    end: kinds[line * 3 + 2],
  }));
}
