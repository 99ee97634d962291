import { basename } from 'node:path';
import type { Call } from '../../core/call.ts';
import { limits } from '../../core/limits.ts';
import { comparePositions, contains } from '../../core/position.ts';
import type { OutlineSymbol } from '../../core/question.ts';
import { isC } from '../../source-text/c-files.ts';
import {
  includedIn,
  isCalledBy,
  isLocalAt,
  isPrivateAt,
  mayEmbedC,
  namesForLinker,
  namesWhenIncluded,
} from '../../source-text/embedded-c.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { outlineOf } from './definitions-at.ts';
import type { SearchedSymbol } from './meaning/resolving.ts';

/** How far a symbol of C reaches: everywhere, in its source and what is part of it, or in its function. */
type Reach = 'all' | 'source' | 'function';

/** Tells which files that no server reads may use a symbol of C: grammars, templates, lists, assembler, bindings. */
export class UnservedC {
  readonly #context: ToolContext;
  readonly #symbol: SearchedSymbol;
  readonly #call: Call;
  #reach: Promise<Reach> | undefined;

  constructor(context: ToolContext, symbol: SearchedSymbol, call: Call) {
    this.#context = context;
    this.#symbol = symbol;
    this.#call = call;
  }

  /** Returns whether a file includes something of the workspace, is included, or names the symbol for the linker. */
  async mayUse(document: Document): Promise<boolean> {
    const { path, text } = document;
    if (!mayEmbedC(path)) return false;
    this.#reach ??= this.#findReach();
    const reach = await this.#reach;
    if (reach === 'function') return false;
    if (reach === 'source') return this.#isPartOf(document);
    if (namesForLinker(path, text, this.#symbol.name) || this.#includesOwn(document)) return true;
    return this.#isIncluded(path);
  }

  #includesOwn({ path, text }: Document): boolean {
    const angled: string[] = [];
    for (const { path: included, isQuoted } of includedIn(path, text)) {
      if (isQuoted || angled.length === limits.mentions.embeddedImports) return true;
      angled.push(included);
    }
    if (angled.length === 0) return false;
    for (const file of this.#context.workspace.files())
      if (angled.some((included) => isCalledBy(file, included))) return true;
    return false;
  }

  async #isIncluded(path: string): Promise<boolean> {
    const { workspace } = this.#context;
    for (const name of namesWhenIncluded(path)) {
      const mentioning = (await workspace.mentioning(name, this.#call)) ?? [];
      const including = mentioning.filter((file) => file !== path && (isC(file) || mayEmbedC(file)));
      if (including.length > limits.mentions.includers) return true;
      for (const file of including) {
        const document = await documentAt(this.#context, file);
        if (document && includes(document, name)) return true;
      }
    }
    return false;
  }

  /** Returns whether a file is made into the source of the symbol, or one of them includes the other. */
  async #isPartOf(document: Document): Promise<boolean> {
    const source = this.#symbol.place.path;
    if (stemOf(document.path) === stemOf(source) || includes(document, basename(source))) return true;
    const own = await documentAt(this.#context, source);
    return own !== undefined && namesWhenIncluded(document.path).some((name) => includes(own, name));
  }

  async #findReach(): Promise<Reach> {
    const { place, references } = this.#symbol;
    const [first] = references.toSorted((a, b) => comparePositions(a.range.start, b.range.start));
    if (!first || references.some(({ path }) => path !== place.path)) return 'all';
    const document = await documentAt(this.#context, place.path);
    if (!document) return 'all';
    const { path, text } = document;
    const offset = document.offsetAt(first.range.start);
    if (isPrivateAt(path, text, offset)) return 'source';
    const around = functionAround(await outlineOf(this.#context, path, this.#call), first.range.start);
    const isLocal = around && isLocalAt(path, text, offset, document.offsetAt(around.selection.end));
    return isLocal ? 'function' : 'all';
  }
}

function includes({ path, text }: Document, name: string): boolean {
  for (const included of includedIn(path, text)) if (basename(included.path) === name) return true;
  return false;
}

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

const functions: ReadonlySet<string> = new Set(['function', 'method', 'constructor']);
