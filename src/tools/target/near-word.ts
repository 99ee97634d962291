import type { Position } from '../../core/positions.ts';
import { isCommented, isDeclaring, isKeyword, isQuoted } from '../../source-text/keywords.ts';
import { distance, touches, type Word, wordsOf } from '../../source-text/words.ts';
import type { Document } from '../../workspace/texts/document.ts';

/** An identifier and where it begins. */
export interface PlacedWord {
  readonly name: string;
  readonly position: Position;
}

/**
 * The identifier that is meant by a position which is on none; `undefined` where it is on one, or none is near.
 * A position on a keyword that declares something means what it declares; right after any other keyword it is on none.
 */
export function nearWord(document: Document, { line, character }: Position): PlacedWord | undefined {
  const text = document.line(line);
  const words = wordsOf(text);
  const at = words.findIndex((word) => touches(word, character));
  const under = words[at];
  if (under) {
    const next = isKeyword(text, under) ? besideKeyword(text, words.slice(at), character) : undefined;
    return next && placed(line, next);
  }
  for (const offset of nearbyLines) {
    const nearest = nearestOf(document.line(line + offset), character);
    if (nearest) return placed(line + offset, nearest);
  }
  return undefined;
}

/** A line that is one too small was probably counted from 0, so the line after comes first. */
const nearbyLines = [0, 1, -1, 2, -2] as const;

function placed(line: number, { start, text }: Word): PlacedWord {
  return { name: text, position: { line, character: start } };
}

function besideKeyword(line: string, [keyword, ...after]: readonly Word[], column: number): Word | undefined {
  if (!keyword) return undefined;
  if (column === keyword.start + keyword.text.length) return nearestOf(line, column);
  const name = isDeclaring(keyword.text) ? after.find((word) => !isKeyword(line, word)) : undefined;
  const between = name && line.slice(keyword.start, name.start);
  return between !== undefined && /^[\s\p{ID_Continue}*&[{]*$/u.test(between) ? name : undefined;
}

/** In some languages these are a part of the name that follows. */
export const sigils = /^[-@#.%&]+$/;

/**
 * Words of strings and comments count only for positions there, or where there is nothing else.
 * Of two that are equally near, the one before: its end is nearer to the position than the other's beginning.
 */
function nearestOf(line: string, column: number): Word | undefined {
  const isCode = (at: number) => !isQuoted(line, at) && !isCommented(line, at);
  const names = wordsOf(line).filter((word) => !isKeyword(line, word));
  const code = isCode(Math.min(column, line.length)) ? names.filter(({ start }) => isCode(start)) : [];
  const marked = names.find(({ start }) => sigils.test(line.slice(column, start)));
  if (marked) return marked;
  return (code.length > 0 ? code : names).sort((a, b) => distance(a, column) - distance(b, column))[0];
}
