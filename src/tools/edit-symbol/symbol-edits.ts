import type { Range } from '../../core/position.ts';
import type { ProposedEdit } from '../../core/proposal.ts';
import { type Document, documentOf } from '../../workspace/texts/document.ts';
import { commaBefore, withComma } from './separator.ts';
import type { Neighbours, SymbolExtent } from './symbol-extent.ts';
import { type HeaderPart, HeaderReader, indentOf } from './symbol-header.ts';

/** Replaces a symbol by a text; documentation, directives and decorators that the text does not bring are kept. */
export function replaceSymbol(document: Document, extent: SymbolExtent, given: string): ProposedEdit {
  const { first, own, last, separator } = extent;
  const plain = linesFor(document, extent, given);
  const lines = withLead(extent, separator?.isThere ? withComma(document.path, plain) : plain);
  const header = new HeaderReader(document).partsBetween(first, own);
  const [kept, brought] = [header, headerOf(document, lines)];
  const keeps = (part: HeaderPart['part']) => !brought.some((one) => one.part === part);
  const old = kept.filter(({ part }) => keeps(part));
  // Comments come before directives and decorators, so new comments go above those that are kept.
  const comments = keeps('decorator') ? (brought.findLast(({ part }) => part === 'comment')?.to ?? 0) : 0;
  if (old.length === kept.length && comments === 0)
    return { range: linesOf(document, own, last), newText: lines.join('\n') };
  const oldLines = old.flatMap(({ from, to }) => slice(document, from, to));
  const newText = [...lines.slice(0, comments), ...oldLines, ...lines.slice(comments)].join('\n');
  return { range: linesOf(document, first, last), newText };
}

/** Inserts a text before or after a symbol, as far from it as its neighbours are. */
export function insertBeside(
  document: Document,
  extent: SymbolExtent,
  given: string,
  where: 'before' | 'after',
  neighbours: Neighbours,
): ProposedEdit {
  const { separator, first, last } = extent;
  const lines = linesFor(document, extent, given);
  const needsComma = separator && (where === 'before' || separator.isThere);
  const text = (needsComma ? withComma(document.path, lines) : lines).join('\n');
  const gap = '\n'.repeat(blankLinesTo(document, extent, neighbours, where) + 1);
  if (where === 'before') return { range: at(first, 0), newText: `${text}${gap}` };
  const end = { line: last, character: document.line(last).length };
  if (!separator || separator.isThere) return { range: { start: end, end }, newText: `${gap}${text}` };
  const newText = `${commaBefore(document, separator)}${gap}${text}`;
  return { range: { start: separator.at, end }, newText };
}

/** Keeps a comment before a symbol on its line, unless the text brings one. */
function withLead({ lead, indentation }: SymbolExtent, lines: readonly string[]): readonly string[] {
  const [first = '', ...others] = lines;
  if (lead === '' || /^\s*\/[*/]/.test(first)) return lines;
  return [`${indentation}${lead}${first.trimStart()}`, ...others];
}

/** Deletes a symbol, with the blank lines that would be left over. */
export function deleteSymbol(document: Document, { first, last, indentation }: SymbolExtent): ProposedEdit {
  const [above, below] = [blanks(document, first, -1), blanks(document, last, 1)];
  // The holder of the symbol begins or ends there, or the file does.
  const isEdge = (line: number) =>
    line < 0 || document.line(line).trim() === '' || indentOf(document.line(line)) < indentation.length;
  const [from, to] = isEdge(last + below + 1)
    ? [first - above, last]
    : isEdge(first - above - 1) || below <= above
      ? [first, last + below]
      : [first - above, last];
  if (to + 1 < document.lineCount)
    return {
      range: { start: { line: from, character: 0 }, end: { line: to + 1, character: 0 } },
      newText: '',
    };
  const start =
    from === 0 ? { line: 0, character: 0 } : { line: from - 1, character: document.line(from - 1).length };
  return { range: { start, end: { line: to, character: document.line(to).length } }, newText: '' };
}

/** Indents a text like the symbol, unless its first line is indented; lines inside strings stay as they are. */
function linesFor(document: Document, { indentation }: SymbolExtent, given: string): string[] {
  const text = given.replace(/\r\n?/g, '\n').replace(/^(?:[ \t]*\n)+|\s+$/g, '');
  const lines = text.split('\n');
  if (indentation === '' || /^\s/.test(text)) return lines;
  const reader = new HeaderReader(documentOf(document.path, text));
  let isDocstring = false;
  return lines.map((line, index) => {
    const isInString = reader.beginsInString(index);
    if (!isInString) isDocstring = /^\s*[rRuU]?(?:"""|''')/.test(line);
    return line.trim() === '' || (isInString && !isDocstring) ? line : `${indentation}${line}`;
  });
}

function headerOf(document: Document, lines: readonly string[]): HeaderPart[] {
  const reader = new HeaderReader(documentOf(document.path, lines.join('\n')));
  return reader.partsBetween(0, lines.length);
}

/** Returns the number of blank lines between a symbol and its neighbour; without one, what is usual. */
function blankLinesTo(
  document: Document,
  extent: SymbolExtent,
  { previous, next }: Neighbours,
  where: 'before' | 'after',
): number {
  const { first, own, last, indentation } = extent;
  const above = previous === undefined ? undefined : blanks(document, first, -1);
  const below = next === undefined ? undefined : blanks(document, last, 1);
  const found = where === 'before' ? (above ?? below) : (below ?? above);
  if (found !== undefined) return found;
  if (own === last) return 0;
  return indentation === '' && /\.pyi?$/.test(document.path) ? 2 : 1;
}

/** Counts the blank lines next to a line. */
function blanks(document: Document, line: number, step: 1 | -1): number {
  let count = 0;
  const isBlank = (at: number) => at >= 0 && at < document.lineCount && document.line(at).trim() === '';
  while (isBlank(line + step * (count + 1))) count += 1;
  // The empty text after the last line break is not a line.
  return step === 1 && line + count + 1 === document.lineCount && count > 0 ? count - 1 : count;
}

function slice(document: Document, from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, index) => document.line(from + index));
}

function linesOf(document: Document, first: number, last: number): Range {
  return {
    start: { line: first, character: 0 },
    end: { line: last, character: document.line(last).length },
  };
}

function at(line: number, character: number): Range {
  return { start: { line, character }, end: { line, character } };
}
