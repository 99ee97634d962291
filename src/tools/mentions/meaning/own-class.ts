import type { Span } from '../../../core/question.ts';
import {
  isAttributeIn,
  type PythonClass,
  pythonClassAround,
} from '../../../source-text/enclosing/python-class.ts';
import { isPython } from '../../../source-text/imports.ts';
import { memberListAt } from '../../../source-text/names/python-names.ts';
import { occurrences } from '../../../source-text/words.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import type { ToolContext } from '../../run/tool.ts';
import { documentAt } from '../../show/document-at.ts';
import { spanOf } from '../definitions-at.ts';
import type { Meaning } from './imported-symbol.ts';
import { type SearchedSymbol, wordsOfPython } from './searched-symbol.ts';

/** Knows where the class of Python, of which a symbol is an attribute, binds its name. */
export class OwnClass {
  readonly #context: ToolContext;
  readonly #symbol: SearchedSymbol;
  #own: Promise<FoundClass | undefined> | undefined;

  constructor(context: ToolContext, symbol: SearchedSymbol) {
    this.#context = context;
    this.#symbol = symbol;
  }

  /** True if a definition gives the attribute another value: some servers take each one for an attribute of its own. */
  async binds({ path, range, standing }: Span): Promise<boolean> {
    const document =
      standing === 'inside' && isPython(path) ? await documentAt(this.#context, path) : undefined;
    if (!document) return false;
    const { line, character } = range.start;
    const before = document.line(line).slice(0, character);
    if (!/^\s+$|\.$/.test(before)) return false;
    const own = await this.#class();
    return own?.path === path && isAttributeIn(own.around, line, before);
  }

  /**
   * Returns what a string means that names a member in `__match_args__` or `__slots__`: an attribute of the class around it,
   * or of a related one. `undefined` if it is none.
   */
  async listedMeaning({ path, range }: Span, known: Known): Promise<Meaning | undefined> {
    const { name } = this.#symbol;
    const document = isPython(path) ? await documentAt(this.#context, path) : undefined;
    if (!document) return undefined;
    const word = { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
    const list = memberListAt(path, document.text, word);
    if (list === undefined) return undefined;
    const around = pythonClassAround(path, document.text, document.positionAt(list).line);
    const attributes = occurrences(document.text, name).filter((offset) => {
      const { line, character } = document.positionAt(offset);
      return around && isAttributeIn(around, line, document.line(line).slice(0, character));
    });
    if (attributes.some((offset) => known.meets(spanOf(document, offset)))) return 'use';
    if (attributes.length > 0) return 'other_symbol';
    const own = await this.#class();
    // What the class itself does not use, it may inherit, or leave to those that inherit it.
    const isRelated =
      own !== undefined && (own.hasBases || around === undefined || hasBases(document, around));
    return isRelated ? 'unverified' : 'other_symbol';
  }

  #class(): Promise<FoundClass | undefined> {
    this.#own ??= this.#find();
    return this.#own;
  }

  async #find(): Promise<FoundClass | undefined> {
    for await (const { document, line, word } of wordsOfPython(this.#context, this.#symbol)) {
      const { path, text } = document;
      const around = word.text === this.#symbol.name ? pythonClassAround(path, text, line) : undefined;
      if (around && isAttributeIn(around, line, document.line(line).slice(0, word.start)))
        return { path, around, hasBases: hasBases(document, around) };
    }
    return undefined;
  }
}

function hasBases(document: Document, { first }: PythonClass): boolean {
  return /^\s*class\s+\w+\s*(?:\[[^\]]*\]\s*)?\(\s*(?!\s|\)|object\b)/.test(document.line(first));
}

/** The class of which the symbol is an attribute. */
interface FoundClass {
  readonly path: string;
  readonly around: PythonClass;
  readonly hasBases: boolean;
}

/** The uses that are known. */
interface Known {
  meets(span: Span): boolean;
}
