import { limits } from '../../core/limits.ts';
import { outermost } from '../brackets.ts';
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
  if (/^\s*[,>]/.test(after) && /,\s*$/.test(before)) return givenKey(text, start);
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

/** Returns what a string is among the arguments of a generic type: `Pick<Box, 'x'>` and `Omit<Box<{ a: T }>, 'x' | 'y'>`. */
function givenKey(text: string, start: number): QuotedKey | undefined {
  const from = Math.max(0, start - 1 - limits.mentions.statement);
  const written = text.slice(from, start - 1).replace(unionBefore, '');
  const before = written.replace(/"[^"\n]{0,200}"|'[^'\n]{0,200}'/g, (one) => ' '.repeat(one.length));
  const open = openTypeArguments(before);
  if (open === undefined) return undefined;
  const given = before.slice(open + 1);
  const [name, last = ''] =
    /^\s*(?:[\p{ID_Continue}$]+\.)*([\p{ID_Start}$_][\p{ID_Continue}$]*)/u.exec(given) ?? [];
  if (name === undefined) return {};
  const isWhole = /^\s*,\s*$/.test(outermost(given.slice(name.length)));
  return isWhole ? { type: from + open + 1 + name.length - last.length } : {};
}

/** Returns the offset of the bracket that is open at the end of a text, if it begins the arguments of a type. */
function openTypeArguments(before: string): number | undefined {
  let depth = 0;
  for (const { 0: token, index } of [...before.matchAll(/=>|[<>()[\]{};=]/g)].reverse()) {
    if (token === '=>') continue;
    if ('>)]}'.includes(token)) depth += 1;
    else if ('<([{'.includes(token) && depth > 0) depth -= 1;
    else if (depth === 0) return token === '<' && isNameEnd.test(before[index - 1] ?? '') ? index : undefined;
  }
  return undefined;
}

const isNameEnd = /[\p{ID_Continue}$]/u;
