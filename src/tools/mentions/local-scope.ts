import type { Call } from '../../core/call.ts';
import { contains } from '../../core/position.ts';
import type { OutlineSymbol, Span } from '../../core/question.ts';
import { isShorthand } from '../../source-text/destructuring.ts';
import { exportedNameOf } from '../../source-text/exports.ts';
import { lexicalAt } from '../../source-text/lexical.ts';
import { wordAround } from '../../source-text/words.ts';
import type { Document } from '../../workspace/texts/document.ts';
import { ownNameIn } from '../../workspace/texts/own-name.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import type { SearchedSymbol } from './meaning/searched-symbol.ts';

/**
 * Returns the function to which a symbol is local, if the outline of its file shows it: nothing outside can be a use of a
 * variable that a function declares. `undefined` for everything else.
 */
export async function localScope(
  context: ToolContext,
  { references }: Pick<SearchedSymbol, 'references'>,
  call: Call,
): Promise<Span | undefined> {
  const [first] = references;
  if (!first || references.some(({ path }) => path !== first.path)) return undefined;
  const outline = await context.outlines.of(context, first.path, call).catch(() => undefined);
  const range = scopeOf(outline?.answer ?? [], references);
  return range && { path: first.path, range, standing: first.standing };
}

/** Returns the range of the innermost function that declares a variable at one of the places, and holds all of them. */
function scopeOf(outline: readonly OutlineSymbol[], places: readonly Span[]): Span['range'] | undefined {
  for (const { kind, range, children } of outline) {
    if (!places.every((place) => contains(range, place.range.start))) continue;
    const inner = scopeOf(children, places);
    if (inner) return inner;
    const declares = (one: OutlineSymbol) =>
      variables.has(one.kind) && places.some((place) => contains(one.selection, place.range.start));
    if (functions.has(kind) && children.some(declares)) return range;
  }
  return undefined;
}

const functions: ReadonlySet<string> = new Set(['function', 'method', 'constructor']);
const variables: ReadonlySet<string> = new Set(['variable', 'constant']);

/**
 * Returns the file to which a symbol is local: a module of a script that declares it at its top and does not export it.
 * Nothing in another file can be a use, whether the server can resolve it or not. `undefined` for everything else.
 */
export async function fileScope(context: ToolContext, symbol: SearchedSymbol): Promise<Span | undefined> {
  const { place, references } = symbol;
  const { path } = place;
  const [first] = references;
  if (!first || !module.test(path) || references.some((one) => one.path !== path)) return undefined;
  const document = await documentAt(context, path);
  if (!document) return undefined;
  const range = { start: document.positionAt(0), end: document.positionAt(document.text.length) };
  const isOwn = (await ownNameIn(context.workspace, place)) !== undefined;
  return isOwn || isOfModule(document, symbol) ? { path, range, standing: first.standing } : undefined;
}

/** True if the references of a symbol show that it is declared at the top of a module, and not exported. */
function isOfModule(document: Document, { place, references }: SearchedSymbol): boolean {
  if (!isClosed(document)) return false;
  const { path } = document;
  const word = wordAround(document.line(place.position.line), place.position.character);
  if (!word || !isName(document, place.position.line, word.start)) return false;
  const declared = references.map(({ range }) => range.start).filter((start) => isAtTop(document, start));
  const isHidden = ({ line, character }: Span['range']['start']) =>
    hidden.test(document.line(line).slice(0, character)) &&
    exportedNameOf(path, document.text, document.offsetAt({ line, character })) === undefined;
  return declared.length > 0 && declared.every(isHidden);
}

const module = /(?<!\.d)\.[cm]?[jt]sx?$/;

/** True if what a text declares is its own: it is a module, adds nothing to the globals, and exports by statements only. */
function isClosed({ path, text }: Document): boolean {
  if (/\bexports\b|\bdeclare\s+global\b/.test(text)) return false;
  const begin = /^(?:import\b(?!\s*\()|export\b)/m.exec(text);
  return begin !== null && lexicalAt(path, text, [begin.index])[0] === 'code';
}

/** True if a word is no member and no key, which may be called as the symbol is. */
function isName(document: Document, line: number, start: number): boolean {
  const text = document.line(line);
  const offset = document.offsetAt({ line, character: start });
  if (/[.#]\s*$/.test(text.slice(0, start)) || isShorthand(document.path, document.text, offset))
    return false;
  return !(/(?:^|[{,(])\s*$/.test(text.slice(0, start)) && /^[\w$]+\s*\??:/.test(text.slice(start)));
}

function isAtTop(document: Document, { line, character }: Span['range']['start']): boolean {
  return top.test(document.line(line).slice(0, character));
}

const top =
  /^(?:(?:export|default|declare|abstract|async)\s+)*(?:const|let|var|function|class|interface|type|enum|namespace|module)\b[\s*]*$/;
const hidden = /^(?:(?:abstract|async)\s+)*(?:const|let|var|function|class|interface|type|enum)\b[\s*]*$/;
