import { extname } from 'node:path';
import { comparePositions, contains, type Position } from '../../core/position.ts';
import type { OutlineSymbol } from '../../core/question.ts';
import { lexicalAt } from '../../source-text/lexical.ts';
import { occurrences } from '../../source-text/words.ts';
import type { Document } from '../../workspace/texts/document.ts';
import { HeaderReader, indentOf } from './symbol-header.ts';

/** A declaration that an outline omits, and the listed symbols next to it. */
interface Unlisted {
  readonly symbol: OutlineSymbol;
  readonly siblings: readonly OutlineSymbol[];
}

/**
 * Returns the declarations of a name that an outline omits: of a getter and its setter, of overloads and of
 * conditional definitions, some servers list only the last.
 */
export function unlistedSymbols(
  document: Document,
  outline: readonly OutlineSymbol[],
  name: string,
): Unlisted[] {
  const declares = declaring[extname(document.path)];
  if (!declares) return [];
  const offsets = occurrences(document.text, name);
  const kinds = lexicalAt(document.path, document.text, offsets);
  return offsets
    .filter((_, index) => kinds[index] === 'code')
    .map((offset) => document.positionAt(offset))
    .filter(({ line, character }) => declares.test(document.line(line).slice(0, character)))
    .flatMap((start) => {
      const { level, isListed, isMember } = holderAt(outline, start);
      if (isListed || !level.some((one) => one.name === name)) return [];
      return [{ symbol: symbolAt(document, name, start, isMember), siblings: level }];
    });
}

/** Adds omitted declarations to an outline, in the order of the text. */
export function withUnlisted(
  level: readonly OutlineSymbol[],
  unlisted: readonly Unlisted[],
): readonly OutlineSymbol[] {
  if (unlisted.length === 0) return level;
  const missing = unlisted.filter(({ siblings }) => siblings === level).map(({ symbol }) => symbol);
  return [
    ...level.map((one) => ({ ...one, children: withUnlisted(one.children, unlisted) })),
    ...missing,
  ].sort((a, b) => comparePositions(a.selection.start, b.selection.start));
}

/** Precedes the name of a function, in languages in which it may be declared repeatedly. */
const declaring: Readonly<Record<string, RegExp>> = {
  '.py': /^\s*(?:async\s+)?def\s+$/,
  '.pyi': /^\s*(?:async\s+)?def\s+$/,
};

interface Holder {
  /** The listed symbols next to a place. */
  readonly level: readonly OutlineSymbol[];
  readonly isListed: boolean;
  readonly isMember: boolean;
}

function holderAt(level: readonly OutlineSymbol[], place: Position, isMember = false): Holder {
  if (level.some(({ selection }) => contains(selection, place))) return { level, isListed: true, isMember };
  const inner = level.find(({ range }) => contains(range, place));
  return inner
    ? holderAt(inner.children, place, inner.kind === 'class')
    : { level, isListed: false, isMember };
}

/** Makes a function whose body is what is indented deeper than it. */
function symbolAt(document: Document, name: string, place: Position, isMember: boolean): OutlineSymbol {
  const reader = new HeaderReader(document);
  const own = indentOf(document.line(place.line));
  let last = place.line;
  for (let line = place.line + 1; line < document.lineCount; line += 1) {
    const text = document.line(line);
    const isOwn = reader.beginsInString(line) || indentOf(text) > own || /^\s*[)\]}]/.test(text);
    if (text.trim() === '') continue;
    if (isOwn) last = line;
    else if (!/^\s*#/.test(text)) break;
  }
  const end = { line: last, character: document.line(last).trimEnd().length };
  const selection = { start: place, end: { line: place.line, character: place.character + name.length } };
  const range = { start: { line: place.line, character: own }, end };
  return { name, kind: isMember ? 'method' : 'function', range, selection, children: [] };
}
