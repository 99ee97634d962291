import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { Position, Range } from '../../core/position.ts';

/** A file as last read: its text and its lines. */
export interface Document {
  readonly path: string;
  /** Without the byte order mark: positions count from the first character after it. */
  readonly text: string;
  readonly hasBom: boolean;
  /** Changes whenever the content does; equal for equal content. */
  readonly hash: string;
  readonly lineCount: number;
  /** Returns the text of a 0-based line without its line ending; empty past the end. */
  line(index: number): string;
  positionAt(offset: number): Position;
  /** Returns the offset of a position, clamped into the text. */
  offsetAt(position: Position): number;
  /** Returns the position clamped into the text. */
  clamp(position: Position): Position;
}

/** Makes a document of a file's bytes, or returns why they are not text. */
export function decodeDocument(path: string, bytes: Buffer): Document | 'binary' | 'not_utf8' {
  if (bytes.includes(0)) return 'binary';
  if (!isUtf8(bytes)) return 'not_utf8';
  const hasBom = bytes.subarray(0, bom.length).equals(bom);
  return new TextDocument(path, bytes.toString('utf8', hasBom ? bom.length : 0), hasBom);
}

/** Makes a document of a text that is not on the disk. */
export function documentOf(path: string, text: string): Document {
  const hasBom = text.startsWith('\uFEFF');
  return new TextDocument(path, hasBom ? text.slice(1) : text, hasBom);
}

/** Returns the range of so many characters at an offset. */
export function rangeAt(document: Document, offset: number, length: number): Range {
  return { start: document.positionAt(offset), end: document.positionAt(offset + length) };
}

const bom = Buffer.from([0xef, 0xbb, 0xbf]);

/** Computes lines and hash on first use: most documents are read for a line or two. */
class TextDocument implements Document {
  readonly path: string;
  readonly text: string;
  readonly hasBom: boolean;
  #starts: readonly number[] | undefined;
  #hash: string | undefined;

  constructor(path: string, text: string, hasBom: boolean) {
    this.path = path;
    this.text = text;
    this.hasBom = hasBom;
  }

  // SHA-256 of the bytes on the disk, so that a later change to the file can be checked against it.
  get hash(): string {
    this.#hash ??= createHash('sha256')
      .update(this.hasBom ? bom : '')
      .update(this.text, 'utf8')
      .digest('hex');
    return this.#hash;
  }

  get lineCount(): number {
    return this.#lines().length;
  }

  line(index: number): string {
    const starts = this.#lines();
    const start = starts[index];
    if (start === undefined) return '';
    return this.text.slice(start, endOfLine(this.text, start, starts[index + 1] ?? this.text.length));
  }

  positionAt(offset: number): Position {
    const starts = this.#lines();
    let [line, beyond] = [0, starts.length];
    while (beyond - line > 1) {
      const middle = (line + beyond) >>> 1;
      if ((starts[middle] ?? 0) <= offset) line = middle;
      else beyond = middle;
    }
    return { line, character: offset - (starts[line] ?? 0) };
  }

  offsetAt(position: Position): number {
    const { line, character } = this.clamp(position);
    return (this.#lines()[line] ?? 0) + character;
  }

  clamp({ line, character }: Position): Position {
    if (!(line >= 0)) return { line: 0, character: 0 };
    const last = this.lineCount - 1;
    if (line > last) return { line: last, character: this.line(last).length };
    const whole = Math.trunc(line);
    return {
      line: whole,
      character: Math.min(Math.max(0, Math.trunc(character) || 0), this.line(whole).length),
    };
  }

  #lines(): readonly number[] {
    this.#starts ??= lineStarts(this.text);
    return this.#starts;
  }
}

const LF = 10;
const CR = 13;

// `\n`, `\r\n` and `\r` end a line: https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocuments
function lineStarts(text: string): number[] {
  const starts = [0];
  const ending = /\r\n?|\n/g;
  while (ending.test(text)) starts.push(ending.lastIndex);
  return starts;
}

function endOfLine(text: string, start: number, next: number): number {
  let end = next;
  if (end > start && text.charCodeAt(end - 1) === LF) end--;
  if (end > start && text.charCodeAt(end - 1) === CR) end--;
  return end;
}
