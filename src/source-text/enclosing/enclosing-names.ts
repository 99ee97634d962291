import { limits } from '../../core/limits.ts';
import { type DeclaringLines, laidOut } from './declaring-lines.ts';
import { LineLayout } from './line-layout.ts';

/** Returns whether the text of a file of this name shows what encloses a place. */
export function showsEnclosing(file: string): boolean {
  return laidOut.some(({ files }) => files.test(file));
}

/**
 * The names of what encloses the lines of a text, as its indentation shows them: the nearest line above that is indented
 * less encloses a line, and what it declares is its name. It is meant for people; code that is not laid out has none.
 */
export class EnclosingNames {
  readonly #language: DeclaringLines | undefined;
  readonly #document: LaidOutText;
  readonly #last: number;
  readonly #names = new Map<number, string | undefined>();
  #measured: LineLayout | undefined;

  /** @param last the last line that is asked about */
  constructor(document: LaidOutText, last: number) {
    this.#language = laidOut.find(({ files }) => files.test(document.path));
    this.#document = document;
    this.#last = last;
  }

  get #layout(): LineLayout {
    this.#measured ??= this.#measure();
    return this.#measured;
  }

  #measure(): LineLayout {
    const { path, text } = this.#document;
    const skipped = this.#language?.skipped ?? everything;
    return new LineLayout(path, text, skipped, this.#last + limits.outlines.parameterLines);
  }

  /** Returns the names around a 0-based line, the outermost first; without what the line itself declares. */
  around(line: number): readonly string[] {
    if (atEdge.test(this.#document.line(line))) return none;
    const own = this.#openerOf(line);
    const innermost = own === line ? undefined : this.#nameOf(line);
    const names = innermost === undefined ? [] : [innermost];
    for (let at = this.#layout.parent(own); at >= 0; at = this.#layout.parent(at)) {
      const name = this.#nameOf(at);
      if (name !== undefined) names.push(name);
    }
    return names.reverse();
  }

  #nameOf(line: number): string | undefined {
    if (!this.#names.has(line)) this.#names.set(line, this.#readName(line));
    return this.#names.get(line);
  }

  #readName(line: number): string | undefined {
    const opener = this.#openerOf(line);
    const last = this.#layout.line(line);
    const head = last === '{' ? this.#joined(opener, line) : this.#layout.line(opener);
    const whole = opener === line || last === '{' ? head : `${head} … ${last}`;
    return this.#language?.nameIn(whole, () => this.#tailOf(opener));
  }

  #joined(from: number, to: number): string {
    return Array.from({ length: to - from + 1 }, (_, offset) => this.#layout.line(from + offset)).join(' ');
  }

  /** The line where the declaration begins that a line such as `): string {`, or a bracket alone, goes on with. */
  #openerOf(line: number): number {
    const text = this.#layout.line(line);
    if (/^[)\]}>]/.test(text)) return this.#sameIndentAbove(line);
    if (text !== '{') return line;
    let at = line;
    const least = line - limits.outlines.parameterLines;
    while (at > Math.max(0, least) && !/^$|[;}{]$|^#|^[/*]/.test(this.#layout.line(at - 1))) at -= 1;
    return at;
  }

  #sameIndentAbove(line: number): number {
    const indent = this.#layout.indent(line);
    for (let at = line - 1; at >= 0 && line - at < limits.outlines.parameterLines; at -= 1)
      if (this.#layout.indent(at) === indent && !/^[)\]}>]/.test(this.#layout.line(at))) return at;
    return line;
  }

  /** The line after the parameters that a line begins: `): string {` or `);`. */
  #tailOf(line: number): string {
    const indent = this.#layout.indent(line);
    const last = Math.min(this.#layout.count, line + limits.outlines.parameterLines);
    for (let at = line + 1; at < last; at += 1)
      if (this.#layout.indent(at) <= indent) return this.#layout.line(at);
    return '';
  }
}

const everything = /^/;
const none: readonly string[] = [];
/** A line that nothing encloses: most definitions are there. */
const atEdge = /^[^\s)\]}>{]/;

/** A file and its lines. */
interface LaidOutText {
  readonly path: string;
  readonly text: string;
  /** Returns the text of a 0-based line. */
  line(index: number): string;
}
