import { basename } from 'node:path';
import type { Call } from '../../../core/call.ts';
import { comparePositions, contains, type Position } from '../../../core/position.ts';
import type { OutlineSymbol, Span } from '../../../core/question.ts';
import { isC } from '../../../source-text/c-files.ts';
import {
  hasUnknownInclude,
  isAlwaysPrivate,
  isLocalAt,
  isMadeFrom,
  isPrivateAt,
  mayEmbedC,
  namesWhenIncluded,
  namingWithoutHeader,
} from '../../../source-text/embedded-c.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import type { ToolContext } from '../../run/tool.ts';
import { documentAt } from '../../show/document-at.ts';
import { definitionsAt, outlineOf } from '../definitions-at.ts';
import type { SearchedSymbol } from '../meaning/searched-symbol.ts';
import { IncludeGraph, namesIncludedIn } from './include-graph.ts';

/** How far a symbol of C reaches: everywhere, in its source and what is part of it, or in the text of its function. */
type Reach = { readonly within: 'all' | 'source' } | { readonly within: 'function'; readonly text: string };

interface FirstUse {
  readonly document: Document;
  readonly start: Position;
  readonly offset: number;
}

/** Tells which files that no server reads may use a symbol of C: grammars, templates, lists, assembler, bindings. */
export class UnservedC {
  readonly #context: ToolContext;
  readonly #symbol: SearchedSymbol;
  readonly #call: Call;
  readonly #includes: IncludeGraph;
  #reach: Promise<Reach> | undefined;
  #isLinked: Promise<boolean> | undefined;
  #isPrivate: Promise<boolean> | undefined;

  constructor(context: ToolContext, symbol: SearchedSymbol, call: Call) {
    this.#context = context;
    this.#symbol = symbol;
    this.#call = call;
    this.#includes = new IncludeGraph(context, call);
  }

  /** Returns whether a file includes something of the workspace, is included, or names the symbol without any header. */
  async mayUse(document: Document): Promise<boolean> {
    if (!mayEmbedC(document.path)) return false;
    this.#reach ??= this.#findReach();
    const reach = await this.#reach;
    if (reach.within === 'function') return this.#isPartOfFunction(document, reach.text);
    if (reach.within === 'source') return this.#isPartOfSource(document);
    if ((await this.#namesIt(document)) || (await this.#includes.includesOwn(document))) return true;
    const includers = await this.#includes.includersOf(document.path);
    return includers === undefined || includers.length > 0;
  }

  /** Returns whether the code of another file of C cannot name the symbol: it is private to a source that no text joins to it. */
  async isBeyond(path: string): Promise<boolean> {
    if (!isC(path) || path === this.#symbol.place.path) return false;
    this.#isPrivate ??= this.#findPrivate();
    if (!(await this.#isPrivate) || (await this.#isPartOfSource({ path }))) return false;
    const text = (await documentAt(this.#context, path))?.text;
    return text !== undefined && !hasUnknownInclude(text);
  }

  async #findPrivate(): Promise<boolean> {
    const first = await this.#firstUse();
    if (!first) return false;
    const { path, text } = first.document;
    const isPrivate = isPrivateAt(path, text, first.offset) && !hasUnknownInclude(text);
    return isPrivate && isAlwaysPrivate(path, text, this.#symbol.name);
  }

  async #namesIt({ path, text }: Document): Promise<boolean> {
    const naming = namingWithoutHeader(path, text, this.#symbol.name);
    if (naming === undefined || naming === 'any') return naming === 'any';
    this.#isLinked ??= this.#findLinked();
    return (await this.#isLinked) === (naming === 'linked');
  }

  /** Returns whether a function has what is in a file: by an `#include` in it, or because a generator has copied it. */
  async #isPartOfFunction({ path }: Document, text: string): Promise<boolean> {
    const source = this.#symbol.place.path;
    const own = await documentAt(this.#context, source);
    if (own && isMadeFrom(own.text, basename(path))) return true;
    const { names, isCut } = namesIncludedIn(source, text);
    if (isCut || hasUnknownInclude(text)) return true;
    if (names.size === 0) return false;
    const above = await this.#includes.above(path);
    if (!above) return true;
    for (const file of above) if (namesWhenIncluded(file).some((name) => names.has(name))) return true;
    return false;
  }

  /** Returns whether a file is made into the source of the symbol, or something includes both, or one of them the other. */
  async #isPartOfSource({ path }: Pick<Document, 'path'>): Promise<boolean> {
    const source = this.#symbol.place.path;
    if (stemOf(path) === stemOf(source)) return true;
    const [above, aboveSource] = [await this.#includes.above(path), await this.#includes.above(source)];
    return !above || !aboveSource || [...above].some((file) => aboveSource.has(file));
  }

  async #findReach(): Promise<Reach> {
    const first = await this.#firstUse();
    if (!first) return { within: 'all' };
    const { document, offset } = first;
    const { path, text } = document;
    if (isPrivateAt(path, text, offset)) return { within: 'source' };
    const around = functionAround(await outlineOf(this.#context, path, this.#call), first.start);
    if (!around || !isLocalAt(path, text, offset, document.offsetAt(around.selection.end)))
      return { within: 'all' };
    const { start, end } = around.range;
    return { within: 'function', text: text.slice(document.offsetAt(start), document.offsetAt(end)) };
  }

  /** Returns the first known use; `undefined` if some are in other files. */
  async #firstUse(): Promise<FirstUse | undefined> {
    const { place, references } = this.#symbol;
    const [first] = references.toSorted((a, b) => comparePositions(a.range.start, b.range.start));
    if (!first || references.some(({ path }) => path !== place.path)) return undefined;
    const document = await documentAt(this.#context, place.path);
    const { start } = first.range;
    return document && { document, start, offset: document.offsetAt(start) };
  }

  /** Returns whether other languages can name the symbol once it is linked: a function or a variable, as far as is known. */
  async #findLinked(): Promise<boolean> {
    const { path, position } = this.#symbol.place;
    const own: Span = { path, range: { start: position, end: position }, standing: 'inside' };
    const [definition = own] = (await definitionsAt(this.#context, own, this.#call)) ?? [];
    const { start } = definition.range;
    const line = (await documentAt(this.#context, definition.path))?.line(start.line) ?? '';
    if (/^\s*#\s*define\s+\w*$/.test(line.slice(0, start.character))) return false;
    const found = symbolAt(await outlineOf(this.#context, definition.path, this.#call), start);
    return found === undefined || linked.has(found.kind);
  }
}

const linked: ReadonlySet<string> = new Set(['function', 'variable', 'constant']);

function stemOf(path: string): string {
  return basename(path).replace(/\..*$/, '');
}

/** Returns the innermost function that holds a position after its name. */
function functionAround(
  outline: readonly OutlineSymbol[],
  position: OutlineSymbol['range']['start'],
): OutlineSymbol | undefined {
  for (const symbol of outline) {
    if (!contains(symbol.range, position)) continue;
    const inner = functionAround(symbol.children, position);
    if (inner) return inner;
    if (functions.has(symbol.kind) && comparePositions(symbol.selection.end, position) < 0) return symbol;
  }
  return undefined;
}

/** Returns the symbol whose name holds a position. */
function symbolAt(
  outline: readonly OutlineSymbol[],
  position: OutlineSymbol['range']['start'],
): OutlineSymbol | undefined {
  for (const symbol of outline) {
    if (contains(symbol.selection, position)) return symbol;
    const inner = symbolAt(symbol.children, position);
    if (inner) return inner;
  }
  return undefined;
}

const functions: ReadonlySet<string> = new Set(['function', 'method', 'constructor']);
