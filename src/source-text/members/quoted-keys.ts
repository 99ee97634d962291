import { limits } from '../../core/limits.ts';
import { isInPattern } from '../destructuring.ts';
import { isScript } from '../imports.ts';

/** A string that names a member of a value or of a type. */
export interface QuotedKey {
  /** The offset of the name of the type that has the member, if it is written before: that of `Box` in `Box['x' | 'y']`. */
  readonly type?: number;
  /** True in `const { ['x']: a } = box`, where servers know no more than the name that it gets. */
  readonly isComputed?: true;
}

/**
 * Returns what a word is that fills a string of a script, if it names a member there: in `box['x']`, `Box['x' | 'y']`,
 * `Pick<Box, 'x'>`, `const { 'x': a } = box` and `const { ['x']: a } = box`.
 */
export function quotedKeyAt(
  file: string,
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): QuotedKey | undefined {
  const quote = text[start - 1] ?? '';
  if (!isScript(file) || !/["'`]/.test(quote) || text[end] !== quote) return undefined;
  const from = Math.max(0, start - 1 - limits.mentions.ahead);
  const before = text.slice(from, start - 1).replace(unionBefore, '');
  const after = text.slice(end + 1, end + 1 + limits.mentions.ahead).replace(unionAfter, '');
  if (/^\s*\]/.test(after) && indexed.test(before) && !listing.test(before))
    return named(indexedName, before, from);
  if (/^\s*[,>]/.test(after) && given.test(before)) return named(givenName, before, from);
  const isKey = /^\s*:/.test(after) || /^\s*\]\s*:/.test(after);
  if (!isKey || !/[{,]\s*(?:\[\s*)?$/.test(before)) return undefined;
  if (!isInPattern(file, text, from + before.replace(/\[?\s*$/, '').length)) return undefined;
  return /^\s*\]/.test(after) ? { isComputed: true } : {};
}

/** True if a word that fills a string of a script names a member. */
export function isQuotedKey(
  file: string,
  text: string,
  word: { readonly start: number; readonly end: number },
): boolean {
  return quotedKeyAt(file, text, word) !== undefined;
}

function named(pattern: RegExp, before: string, from: number): QuotedKey {
  const found = pattern.exec(before);
  return found ? { type: from + found.index } : {};
}

/** The other names of a list of strings: `'x' | ` and ` | 'y'`. */
const unionBefore = /(?:(?:["'][^"'\n]{0,80}["']\s{0,99})?\|\s{0,99}){1,30}$/;
const unionAfter = /^(?:\s{0,99}\|\s{0,99}["'][^"'\n]{0,80}["']){1,30}/;

/** A bracket after what has members. */
const indexed = /(?:[\p{ID_Continue}$)\]>!]|\?\.)\s{0,9}\[\s{0,99}$/u;
/** A bracket that begins a list. */
const listing =
  /(?<![\p{ID_Continue}$.])(?:return|case|typeof|await|yield|in|of|extends|default|throw|as|is|keyof|else|do)\s{0,9}\[\s{0,99}$/u;
const indexedName =
  /(?<![\p{ID_Continue}$])[\p{ID_Start}$_][\p{ID_Continue}$]*(?=(?:<[^<>(){};]{0,150}>)?\s{0,9}\[\s{0,99}$)/u;

/** The arguments of a generic type: `Pick<Box, ` and `Pick<Box<T>, `. */
const given = /[\p{ID_Continue}$]<[^<>(){};]{1,150}(?:<[^<>(){};]{0,150}>[^<>(){};]{0,150})?,\s{0,99}$/u;
const givenName =
  /(?<=[\p{ID_Continue}$]<\s{0,99}(?:[\p{ID_Continue}$]{1,80}\.){0,5})[\p{ID_Start}$_][\p{ID_Continue}$]*(?=(?:<[^<>(){};]{0,150}>)?\s{0,99},\s{0,99}$)/u;
