import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { comparePositions, type Position } from '../../core/position.ts';
import type { OutlineSymbol } from '../../core/question.ts';
import { lexicalAt } from '../../source-text/lexical.ts';
import type { Document } from '../../workspace/texts/document.ts';
import { type Separator, separatorOf } from './separator.ts';
import { HeaderReader } from './symbol-header.ts';

/** The whole lines that a symbol takes. */
export interface SymbolExtent {
  /** The first line of its documentation or decorators, if it has any. */
  readonly first: number;
  /** The first line of its declaration. */
  readonly own: number;
  readonly last: number;
  readonly indentation: string;
  /** A comment before it on the same line. */
  readonly lead: string;
  readonly separator: Separator | undefined;
}

/**
 * Returns the lines of a symbol: its declaration according to the server, what precedes the name, the end of its
 * statement, and the decorators and comments directly above. Throws if it shares a line with something else.
 */
export function symbolExtent(
  document: Document,
  symbol: OutlineSymbol,
  siblings: readonly OutlineSymbol[],
): SymbolExtent {
  const reader = new HeaderReader(document);
  const { start } = symbol.range;
  const before = document.line(start.line).slice(0, start.character);
  const lead = /^\s*((?:\/\*.*?\*\/\s*)*)/.exec(before)?.[1] ?? '';
  const last = lastLine(document, symbol);
  const others = siblings.filter((one) => isOther(one, symbol) && isIn(one, symbol, last));
  const words = before.replace(lead, '');
  const isShared =
    !leading.test(words) || heading.test(words) || others.length > 0 || isListed(document, symbol);
  if (isShared || last === undefined) throw shared(symbol, others);
  const first = reader.firstAbove(start.line, firstFreeLine(siblings, start));
  const header = reader.partsBetween(first, symbol.selection.start.line);
  const own = header.at(-1)?.to ?? first;
  const indentation = /^\s*/.exec(document.line(own))?.[0] ?? '';
  const separator = separatorOf(document, symbol, siblings);
  return { first, own, last, indentation, lead, separator };
}

/** Returns the line after the last symbol that ends before a position. */
function firstFreeLine(siblings: readonly OutlineSymbol[], start: Position): number {
  const ends = siblings.map(({ range }) => range.end).filter((end) => comparePositions(end, start) <= 0);
  return ends.reduce((line, end) => Math.max(line, end.character === 0 ? end.line : end.line + 1), 0);
}

/** The lines on which neighbouring symbols begin or end. */
export interface Neighbours {
  /** The last line of the one before. */
  readonly previous: number | undefined;
  /** The first line of the one after. */
  readonly next: number | undefined;
}

/** Returns where the nearest symbols of the same holder are, with what belongs to them. */
export function neighboursOf(
  document: Document,
  symbol: OutlineSymbol,
  siblings: readonly OutlineSymbol[],
): Neighbours {
  const { start, end } = symbol.range;
  const before = siblings
    .filter(({ range }) => range.end.line < start.line)
    .map(({ range }) => range.end.line);
  const after = siblings
    .filter(({ range }) => range.start.line > end.line)
    .map(({ range }) => range.start.line);
  const reader = new HeaderReader(document);
  return {
    previous: before.length === 0 ? undefined : Math.max(...before),
    next: after.length === 0 ? undefined : reader.firstAbove(Math.min(...after), end.line + 1),
  };
}

/** Words of a declaration that the server's range leaves out, and decorators on the same line. */
const leading = /^\s*(?:(?:@[\w.$]+(?:\([^()]*\))?|#\[[^\]]*\]|[a-z_]+(?:\([\w\s:]*\))?(?:\s+"\w+")?)\s+)*$/;

/** Words of a statement that a symbol is only a part of, as in `for x in xs:`. */
const heading = /^\s*(?:async\s+)?(?:for|with|while|if|elif|else|except|case|return|throw|yield|await)\b/;

/** Returns whether a variable is one of several that a statement declares on separate lines. */
function isListed(document: Document, { kind, range: { start, end } }: OutlineSymbol): boolean {
  if (kind !== 'variable' && kind !== 'constant') return false;
  const above = start.line === 0 ? '' : document.line(start.line - 1);
  return /^\s*,/.test(document.line(end.line).slice(end.character)) || /,\s*(?:\/\/.*)?$/.test(above);
}

/** Returns the line on which a symbol ends, if nothing else follows there. */
function lastLine(document: Document, { range, kind }: OutlineSymbol): number | undefined {
  const { end } = range;
  // A range may end at the beginning of the next line.
  const isBeyond = end.character === 0 && comparePositions(range.start, end) < 0;
  const line = isBeyond ? end.line - 1 : end.line;
  const rest = isBeyond ? '' : document.line(line).slice(end.character);
  if (ending.test(rest)) return line;
  return statements.has(kind) ? endOfStatement(document, end) : undefined;
}

const ending = /^\s*[;,]?\s*(?:(?:\/\/|#|--).*|\/\*.*\*\/\s*)?$/;

/** Kinds of which some servers give only the range of the name. */
const statements: ReadonlySet<string> = new Set(['variable', 'constant', 'field', 'property']);

/** Returns the line at whose end all brackets that open after a position are closed; none if other code follows there. */
function endOfStatement(document: Document, from: Position): number | undefined {
  const { text } = document;
  const marks = [...text.matchAll(/[()[\]{};]|\\?(?:\r\n?|\n)/g)].filter(
    ({ index }) => comparePositions(document.positionAt(index), from) >= 0,
  );
  const kinds = lexicalAt(
    document.path,
    text,
    marks.map(({ index }) => index),
  );
  const code = marks.filter((_, at) => kinds[at] === 'code');
  let depth = 0;
  for (const { 0: mark, index } of code) {
    if ('([{'.includes(mark)) depth += 1;
    else if (')]}'.includes(mark)) depth -= 1;
    else if (depth === 0 && mark === ';' && !ending.test(restAt(document, index))) return undefined;
    else if (depth === 0 && /^[\r\n]/.test(mark)) return document.positionAt(index).line;
    if (depth < 0) return undefined;
  }
  return depth === 0 ? document.lineCount - 1 : undefined;
}

function restAt(document: Document, offset: number): string {
  const { line, character } = document.positionAt(offset);
  return document.line(line).slice(character);
}

/** Several servers may list the same symbol. */
function isOther({ selection: { start } }: OutlineSymbol, { selection }: OutlineSymbol): boolean {
  return comparePositions(start, selection.start) !== 0;
}

/** Returns whether a symbol is declared on the lines of another without being part of it. */
function isIn(
  { selection, range }: OutlineSymbol,
  { range: whole }: OutlineSymbol,
  last = whole.end.line,
): boolean {
  const { line } = selection.start;
  const isOutside =
    comparePositions(range.end, whole.start) <= 0 || comparePositions(whole.end, range.start) <= 0;
  // Of names that one statement declares together, such as `var a, b int`, servers give the range of the statement.
  const isTogether =
    comparePositions(range.start, whole.start) === 0 && comparePositions(range.end, whole.end) === 0;
  return (isOutside || isTogether) && line >= whole.start.line && line <= last;
}

function shared({ name }: OutlineSymbol, others: readonly OutlineSymbol[]): LspanError {
  const names = others.slice(0, limits.named.symbols).map((other) => JSON.stringify(other.name));
  const partners = names.length > 0 ? names.join(', ') : 'other code';
  return new LspanError(
    'refused',
    `${JSON.stringify(name)} shares its line or statement with ${partners}; nothing was changed.`,
    { nextStep: 'Change it by its text: apply_workspace_edit with `old_text` and `new_text`.' },
  );
}
