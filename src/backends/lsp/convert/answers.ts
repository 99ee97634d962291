import { limits } from '../../../core/limits.ts';
import { comparePositions, type Range } from '../../../core/position.ts';
import type { FoundSymbol, Hover, OutlineSymbol, Span } from '../../../core/question.ts';
import { type Json, list, number, object, text } from '../../../core/runtime/json.ts';
import { collectInSlices, eachInSlices, mapInSlices, sortInSlices } from '../../../core/runtime/slices.ts';
import { type SymbolKind, symbolKinds } from '../../../core/symbol-kinds.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import { answeredList, malformed, readEntries, readManyEntries } from './entry.ts';
import { inertMarkup } from './markup.ts';
import { decodeRange, decodeSpans, readRawRange, readRawSpan } from './spans.ts';
import type { Translation } from './translation.ts';

/** Reads Location, Location[], LocationLink[] or null. */
export async function readSpans(raw: unknown, translation: Translation): Promise<Span[]> {
  const { server } = translation;
  const places = await readManyEntries({ server, noun: 'places' }, oneOrMany(raw), readRawSpan);
  return collectInSlices(await decodeSpans(translation, places), (span) => span);
}

/** Like `readSpans`, without the uses in files that the server makes from the sources. */
export async function readUses(raw: unknown, translation: Translation): Promise<Span[]> {
  const spans = await readSpans(raw, translation);
  const { isGenerated } = translation;
  return isGenerated
    ? spans.filter(({ path, standing }) => standing === 'inside' || !isGenerated(path))
    : spans;
}

/** Reads a hover with MarkupContent, a MarkedString, or several of them. */
export async function readHover(
  raw: unknown,
  path: string,
  translation: Translation,
): Promise<Hover | undefined> {
  if (raw === null || raw === undefined) return undefined;
  const { contents, range } = object(raw);
  const hover = { server: translation.server, noun: 'a hover' };
  if (contents === undefined) throw malformed(hover);
  const parts = readEntries(hover, oneOrMany(contents), readMarkup).filter((part) => part !== '');
  if (parts.length === 0) return undefined;
  const where = readRawRange(range);
  // Answers show no more than this, so do not scan more.
  const shown = { text: inertMarkup(parts.join('\n\n').slice(0, limits.hover).replace(picture, '')) };
  if (where === undefined) return shown;
  const document = await translation.workspace.read(path);
  return { ...shown, range: decodeRange(document, translation.encoding, where) };
}

/** An inline image, which tells a model nothing and costs it hundreds of tokens. Scans no part twice. */
const picture = /!\[[^[\]]*\]\(data:[^()[\]\s]*\)[ \t]*/g;

/** Reads DocumentSymbol[] as nested, or SymbolInformation[] nested by containment. */
export async function readOutline(
  raw: unknown,
  path: string,
  { server, workspace, encoding }: Translation,
): Promise<OutlineSymbol[]> {
  const document = await workspace.read(path);
  const decode = (value: unknown) => {
    const range = readRawRange(value);
    return range && decodeRange(document, encoding, range);
  };
  const outline = { server, noun: 'an outline' };
  const entries = answeredList(outline, raw);
  const places = await collectInSlices(entries, (entry) => object(entry).location);
  const flat = places.length > 0;
  if (flat)
    return nest(await readManyEntries(outline, entries, (entry) => readFlat(entry, document, decode)));
  const symbols = await readNested(entries, decode);
  if (symbols.length === 0 && entries.length > 0) throw malformed(outline);
  return symbols;
}

/** Reads SymbolInformation[] or WorkspaceSymbol[]. */
export async function readFoundSymbols(raw: unknown, translation: Translation): Promise<FoundSymbol[]> {
  const symbols = { server: translation.server, noun: 'symbols' };
  const found = await readManyEntries(symbols, answeredList(symbols, raw), readFoundSymbol);
  const places = await mapInSlices(found, ({ place }) => place);
  // Every symbol has a copy in every worktree, which nobody misses here.
  const spans = (await decodeSpans({ ...translation, leftOut: undefined }, places)).values();
  return collectInSlices(found, ({ symbol }) => {
    const { value: span } = spans.next();
    return span && { ...symbol, span };
  });
}

function oneOrMany(raw: unknown): readonly unknown[] {
  if (raw === null || raw === undefined) return [];
  return Array.isArray(raw) ? raw : [raw];
}

function readFoundSymbol(value: unknown) {
  const { name, kind, location, containerName } = object(value);
  const { uri, range } = object(location);
  // A WorkspaceSymbol may leave the range to a second request; use the top of the file instead.
  const place = readRawSpan({ uri, range: range ?? start });
  const [called, container] = [text(name), text(containerName)];
  if (called === undefined || place === undefined) return undefined;
  return { symbol: { name: called, kind: readKind(kind), ...(container ? { container } : {}) }, place };
}

const start: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

type Decode = (value: unknown) => Range | undefined;

/** Reads children after their parents, with a work list instead of recursion, so that any size works. */
async function readNested(entries: readonly unknown[], decode: Decode): Promise<OutlineSymbol[]> {
  const top: OutlineSymbol[] = [];
  const todo = await mapInSlices(entries, (entry) => ({ entry, into: top, depth: 0 }));
  await eachInSlices(todo, ({ entry, into, depth }) => {
    const children: OutlineSymbol[] = [];
    const symbol = readSymbol(object(entry), decode, children);
    if (symbol === undefined) return;
    into.push(symbol);
    if (depth === limits.outlines.depth) return;
    for (const child of list(object(entry).children))
      todo.push({ entry: child, into: children, depth: depth + 1 });
  });
  return top;
}

function readSymbol(entry: Json, decode: Decode, children: OutlineSymbol[]): OutlineSymbol | undefined {
  // Some servers name an anonymous function by its text.
  const name = text(entry.name)
    ?.replace(/\s*\n\s*/g, ' ')
    .trim();
  const range = decode(entry.range);
  if (name === undefined || range === undefined) return undefined;
  const detail = text(entry.detail);
  const selection = decode(entry.selectionRange) ?? range;
  return { name, kind: readKind(entry.kind), ...(detail ? { detail } : {}), range, selection, children };
}

type FlatSymbol = OutlineSymbol & { readonly children: OutlineSymbol[] };

function readFlat(value: unknown, document: Document, decode: Decode): FlatSymbol | undefined {
  const entry = object(value);
  const name = text(entry.name);
  const range = decode(object(entry.location).range);
  if (name === undefined || range === undefined) return undefined;
  const selection = nameWithin(document, range, name);
  return { name, kind: readKind(entry.kind), range, selection, children: [] };
}

/** Nests a flat list, which has only full ranges, by containment. */
async function nest(symbols: readonly FlatSymbol[]): Promise<OutlineSymbol[]> {
  const ordered = await sortInSlices(symbols, (a, b) => compareRanges(a.range, b.range));
  const top: OutlineSymbol[] = [];
  const holders: FlatSymbol[] = [];
  await eachInSlices(ordered, (symbol) => {
    while (holders.length > 0 && !holds(holders.at(-1), symbol)) holders.pop();
    (holders.at(-1)?.children ?? top).push(symbol);
    if (holders.length < limits.outlines.depth) holders.push(symbol);
  });
  return top;
}

/** Compares by start; for equal starts, the longest first. */
function compareRanges(a: Range, b: Range): number {
  return comparePositions(a.start, b.start) || comparePositions(b.end, a.end);
}

function holds(holder: OutlineSymbol | undefined, symbol: OutlineSymbol): boolean {
  if (!holder || compareRanges(holder.range, symbol.range) === 0) return false;
  return comparePositions(symbol.range.end, holder.range.end) <= 0;
}

/** Finds the name in the range, which is the place for questions about the symbol. */
function nameWithin(document: Document, range: Range, name: string): Range {
  for (
    let line = range.start.line;
    line <= Math.min(range.end.line, range.start.line + limits.outlines.nameLines);
    line += 1
  ) {
    const from = line === range.start.line ? range.start.character : 0;
    const character = document.line(line).indexOf(name, from);
    if (character < 0) continue;
    return { start: { line, character }, end: { line, character: character + name.length } };
  }
  return range;
}

function readMarkup(content: unknown): string | undefined {
  if (typeof content === 'string') return content.slice(0, limits.hover).trim();
  const { value, language } = object(content);
  const shown = text(value)?.slice(0, limits.hover).trim();
  return text(language) && shown ? `\`\`\`${text(language)}\n${shown}\n\`\`\`` : shown;
}

/** Reads an LSP symbol kind. */
export function readKind(value: unknown): SymbolKind {
  return symbolKinds[(number(value) ?? 0) - 1] ?? 'variable';
}
