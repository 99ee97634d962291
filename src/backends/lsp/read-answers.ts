import { comparePositions, type Range } from '../../core/positions.ts';
import type { FoundSymbol, Hover, OutlineSymbol, Span } from '../../core/questions.ts';
import { type SymbolKind, symbolKinds } from '../../core/symbol-kinds.ts';
import type { Document } from '../../workspace/document.ts';
import type { Translation } from './answers.ts';
import { type Json, list, number, object, text } from './json.ts';
import { decodeRange, decodeSpans, readRange, readRawSpan } from './spans.ts';

/** Reads Location, Location[], LocationLink[] or null. */
export async function readSpans(raw: unknown, { workspace, encoding }: Translation): Promise<Span[]> {
  const entries = Array.isArray(raw) ? raw : [raw];
  const spans = entries.map(readRawSpan).filter((span) => span !== undefined);
  return decodeSpans(workspace, encoding, spans);
}

/** Reads a hover with MarkupContent, a MarkedString, or several of them. */
export async function readHover(
  raw: unknown,
  path: string,
  translation: Translation,
): Promise<Hover | undefined> {
  const { contents, range } = object(raw);
  const parts = (Array.isArray(contents) ? contents : [contents])
    .map(readMarkup)
    .filter((part) => part !== '');
  if (parts.length === 0) return undefined;
  const where = readRange(range);
  const shown = { text: parts.join('\n\n') };
  if (where === undefined) return shown;
  const document = await translation.workspace.read(path);
  return { ...shown, range: decodeRange(document, translation.encoding, where) };
}

/** Reads DocumentSymbol[] as it is nested, or SymbolInformation[] nested by what contains what. */
export async function readOutline(
  raw: unknown,
  path: string,
  { workspace, encoding }: Translation,
): Promise<OutlineSymbol[]> {
  const document = await workspace.read(path);
  const decode = (value: unknown) => {
    const range = readRange(value);
    return range && decodeRange(document, encoding, range);
  };
  const entries = list(raw).map(object);
  const flat = entries.some((entry) => entry.location !== undefined);
  return flat ? nest(entries, document, decode) : entries.flatMap((entry) => readNested(entry, decode, 0));
}

/** Reads SymbolInformation[] or WorkspaceSymbol[]. */
export async function readFoundSymbols(
  raw: unknown,
  { workspace, encoding }: Translation,
): Promise<FoundSymbol[]> {
  const found = list(raw)
    .map(object)
    .flatMap((entry) => {
      const location = object(entry.location);
      // A WorkspaceSymbol may leave the range to a second request; the top of the file then stands for it.
      const span = readRawSpan({ uri: location.uri, range: location.range ?? start });
      return span ? [{ entry, span }] : [];
    });
  const spans = await decodeSpans(
    workspace,
    encoding,
    found.map(({ span }) => span),
  );
  return found.flatMap(({ entry }, index) => {
    const span = spans[index];
    const name = text(entry.name);
    if (span === undefined || name === undefined) return [];
    const container = text(entry.containerName);
    return [{ name, kind: readKind(entry.kind), span, ...(container ? { container } : {}) }];
  });
}

const start: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** No language nests deeper; a server that does is not followed further. */
const deepest = 64;

type Decode = (value: unknown) => Range | undefined;

function readNested(entry: Json, decode: Decode, depth: number): OutlineSymbol[] {
  const name = text(entry.name);
  const range = decode(entry.range);
  if (name === undefined || range === undefined || depth > deepest) return [];
  const detail = text(entry.detail);
  const children = list(entry.children).flatMap((child) => readNested(object(child), decode, depth + 1));
  const selection = decode(entry.selectionRange) ?? range;
  return [{ name, kind: readKind(entry.kind), ...(detail ? { detail } : {}), range, selection, children }];
}

/** A flat list tells only full ranges: what one range holds belongs to its symbol. */
function nest(entries: readonly Json[], document: Document, decode: Decode): OutlineSymbol[] {
  const symbols = entries.flatMap((entry) => {
    const name = text(entry.name);
    const range = decode(object(entry.location).range);
    if (name === undefined || range === undefined) return [];
    const children: OutlineSymbol[] = [];
    return [
      { name, kind: readKind(entry.kind), range, selection: nameWithin(document, range, name), children },
    ];
  });
  symbols.sort((a, b) => compareRanges(a.range, b.range));
  const top: OutlineSymbol[] = [];
  const holders: typeof symbols = [];
  for (const symbol of symbols) {
    while (holders.length > 0 && !holds(holders.at(-1), symbol)) holders.pop();
    (holders.at(-1)?.children ?? top).push(symbol);
    if (holders.length < deepest) holders.push(symbol);
  }
  return top;
}

/** By start, and of those that start together the longest first. */
function compareRanges(a: Range, b: Range): number {
  return comparePositions(a.start, b.start) || comparePositions(b.end, a.end);
}

function holds(holder: OutlineSymbol | undefined, symbol: OutlineSymbol): boolean {
  if (!holder || compareRanges(holder.range, symbol.range) === 0) return false;
  return comparePositions(symbol.range.end, holder.range.end) <= 0;
}

/** Where the name stands in the range, which is where a question about the symbol is asked. */
function nameWithin(document: Document, range: Range, name: string): Range {
  for (let line = range.start.line; line <= Math.min(range.end.line, range.start.line + 20); line += 1) {
    const from = line === range.start.line ? range.start.character : 0;
    const character = document.line(line).indexOf(name, from);
    if (character < 0) continue;
    return { start: { line, character }, end: { line, character: character + name.length } };
  }
  return range;
}

function readMarkup(content: unknown): string {
  if (typeof content === 'string') return content.trim();
  const { value, language } = object(content);
  const shown = text(value)?.trim() ?? '';
  return text(language) && shown ? `\`\`\`${text(language)}\n${shown}\n\`\`\`` : shown;
}

function readKind(value: unknown): SymbolKind {
  return symbolKinds[(number(value) ?? 0) - 1] ?? 'variable';
}
