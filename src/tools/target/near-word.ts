import type { Position } from '../../core/position.ts';
import { isCommented, isDeclaring, isKeyword, isQuoted } from '../../source-text/keywords.ts';
import { distance, touches, type Word, wordsOf } from '../../source-text/words.ts';
import type { Document } from '../../workspace/texts/document.ts';
import { nearbyLines } from './near-name.ts';

/** An identifier and where it begins. */
export interface PlacedWord {
  readonly name: string;
  readonly position: Position;
}

/**
 * Returns the identifier that a position on none means; `undefined` if it is on one, or none is near.
 * On a keyword that declares something it means what is declared; right after any other keyword it is on none.
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

/** Returns a word of a line with its position. */
export function placed(line: number, { start, text }: Word): PlacedWord {
  return { name: text, position: { line, character: start } };
}

function besideKeyword(line: string, [keyword, ...after]: readonly Word[], column: number): Word | undefined {
  if (!keyword) return undefined;
  if (column === keyword.start + keyword.text.length) return nearestOf(line, column);
  const name = isDeclaring(keyword.text) ? after.find((word) => !isKeyword(line, word)) : undefined;
  const between = name && line.slice(keyword.start, name.start);
  return between !== undefined && /^[\s\p{ID_Continue}*&[{]*$/u.test(between) ? name : undefined;
}

/** Characters that are part of the following name in some languages. */
export const sigils = /^[-@#.%&]+$/;

/**
 * Returns the nearest identifier; those in strings and comments count only for positions there, or if there are no
 * others.
 * If two are equally near, the first one wins: its end is nearer to the position than the beginning of the other.
 */
function nearestOf(line: string, column: number): Word | undefined {
  const isCode = (at: number) => !isQuoted(line, at) && !isCommented(line, at);
  const names = wordsOf(line).filter((word) => !isKeyword(line, word));
  const code = isCode(Math.min(column, line.length)) ? names.filter(({ start }) => isCode(start)) : [];
  const marked = names.find(({ start }) => sigils.test(line.slice(column, start)));
  if (marked) return marked;
  return (code.length > 0 ? code : names).sort((a, b) => distance(a, column) - distance(b, column))[0];
}
