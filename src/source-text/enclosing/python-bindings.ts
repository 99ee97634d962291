import { limits } from '../../core/limits.ts';
import { linksOf } from '../imports.ts';
import { LineLayout } from './line-layout.ts';

/** The places where a module of Python binds names: at its top, and in its classes. */
export class PythonBindings {
  readonly #module: ModuleText;
  #measured: LineLayout | undefined;
  #imported: ReadonlyMap<number, number> | undefined;
  /** By line: where a statement begins of which it is a later line, and whether the statement above goes on with it. */
  readonly #importsOf = new Map<number, number>();
  readonly #goingOn = new Map<number, boolean>();

  constructor(module: ModuleText) {
    this.#module = module;
  }

  /**
   * Returns the names of the classes around the declaration or the import of a name at an offset, the outermost first; none
   * at the top of the module. `undefined` if the name is not bound there, or only in a function.
   */
  holdersAt(offset: number, name: string): readonly string[] | undefined {
    const line = this.#boundOn(offset, name);
    return line === undefined ? undefined : this.#classesAround(line);
  }

  /** Returns the line on which the statement begins that binds the name at an offset. */
  #boundOn(offset: number, name: string): number | undefined {
    const { line, character } = this.#module.positionAt(offset);
    const text = this.#module.line(line);
    const end = character + name.length;
    const after = text.slice(end, end + limits.mentions.statement);
    // No line of a person is longer; a very long one is not read again for each name.
    const before = character > limits.mentions.statement ? '.' : text.slice(0, character);
    if (declaring.test(before)) return line;
    if (targets.test(before) && value.test(after)) return this.#isPartOfAbove(line) ? undefined : line;
    return this.#importOn(offset);
  }

  /** Returns the line on which an import begins that gives a name at an offset. */
  #importOn(offset: number): number | undefined {
    const { path, text } = this.#module;
    this.#imported ??= new Map(
      linksOf(path, text).flatMap(({ start, local }) => (local ? [[local.offset, start] as const] : [])),
    );
    const start = this.#imported.get(offset);
    if (start === undefined) return undefined;
    const { line } = this.#module.positionAt(start);
    let at = line;
    while (at > 0 && !this.#importsOf.has(at) && !importing.test(this.#module.line(at))) at -= 1;
    const first = this.#importsOf.get(at) ?? at;
    for (; at <= line; at += 1) this.#importsOf.set(at, first);
    return first;
  }

  /** True if the line above, without its comment, does not end a statement. */
  #isPartOfAbove(line: number): boolean {
    const known = this.#goingOn.get(line);
    if (known !== undefined) return known;
    let above = line - 1;
    while (above >= 0 && /^\s*(?:#|$)/.test(this.#module.line(above))) above -= 1;
    const [code = ''] = this.#module.line(above).slice(-limits.mentions.statement).split(/\s#/);
    const goesOn = /[([{,\\]$/.test(code.trimEnd());
    this.#goingOn.set(line, goesOn);
    return goesOn;
  }

  #classesAround(line: number): readonly string[] | undefined {
    if (/^\S/.test(this.#module.line(line))) return [];
    const names: string[] = [];
    let left = limits.outlines.depth;
    for (let at = this.#layout.parent(line); at >= 0; at = this.#layout.parent(at)) {
      left -= 1;
      if (left < 0 || !blockEnd.test(this.#layout.line(at).slice(-limits.mentions.statement)))
        return undefined;
      at = this.#openerOf(at);
      const opener = this.#layout.line(at);
      const [, name] = /^class\s+(\w+)/.exec(opener) ?? [];
      if (name !== undefined) names.unshift(name);
      else if (!inPlace.test(opener)) return undefined;
    }
    return names;
  }

  /** Returns the line where the statement begins that a line such as `):` ends, if it is near. */
  #openerOf(line: number): number {
    const indent = this.#layout.indent(line);
    const least = Math.max(0, line - limits.outlines.parameterLines);
    let at = line;
    while (at > least && (this.#layout.indent(at) > indent || /^[)\]}]/.test(this.#layout.line(at)))) at -= 1;
    return at;
  }

  get #layout(): LineLayout {
    const { path, text } = this.#module;
    this.#measured ??= new LineLayout(path, text, /^#/, Number.POSITIVE_INFINITY);
    return this.#measured;
  }
}

/** A file of Python and its lines. */
interface ModuleText {
  readonly path: string;
  readonly text: string;
  line(index: number): string;
  positionAt(offset: number): { readonly line: number; readonly character: number };
}

const declaring = /^\s*(?:async\s+)?(?:def|class)\s+$/;
/** Before and after a name that an assignment binds, or one of several. */
const targets = /^\s*(?:\w+\s*[,=]\s*)*$/;
const value = /^\s*(?:,[\s\w,]*)?(?::(?!=)|=(?!=))/;
const importing = /^\s*(?:from|import)\b/;
const blockEnd = /:\s*(?:#.*)?$/;
/** Statements whose names are those of the block around them. */
const inPlace = /^(?:if|elif|else|try|except|finally|with|for|while|match|case|async\s+(?:with|for))\b/;
