import { limits } from '../core/limits.ts';
import { isScript } from './imports.ts';

/** True if the word at an offset of a script is a property and its value at once: `x` in `{ a: 1, x }`. */
export function isShorthand(file: string, text: string, offset: number): boolean {
  if (!isScript(file)) return false;
  const before = text.slice(Math.max(0, offset - limits.mentions.statement), offset);
  const after = text.slice(offset, offset + limits.mentions.ahead);
  // A property with a default, which only a destructuring has, may be an assignment elsewhere.
  if (!/[{,]\s*$/.test(before) || !/^[\p{ID_Continue}$]+\s*(?:[,}]|=(?![=>]))/u.test(after)) return false;
  const open = enclosing(before);
  if (open === undefined || before[open] !== '{') return false;
  return (
    !/\b(?:import|export)\s*(?:type\s*)?$/.test(before.slice(0, open)) && !isBlock(before.slice(open + 1))
  );
}

/**
 * Returns the offset of the name from which the word at an offset is taken: that of `api` in `const { x } = api`.
 * `undefined` if it is not taken from a name.
 */
export function takenFrom(file: string, text: string, offset: number): number | undefined {
  if (!isShorthand(file, text, offset)) return undefined;
  const rest = text.slice(offset, offset + limits.mentions.statement);
  const close = closing(rest);
  if (close === undefined) return undefined;
  const [all = '', name = ''] =
    /^\s*(?::[^=;(){}]*)?=\s*(?:\(?\s*await\s+)?([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*\)?\s*(?=[;,\n)]|$)/u.exec(
      rest.slice(close + 1),
    ) ?? [];
  return name === '' ? undefined : offset + close + 1 + all.lastIndexOf(name);
}

/** True if the word at an offset is taken out of a value and put into a name that is declared elsewhere: `({ x } = api)`. */
export function isTakenInto(file: string, text: string, offset: number): boolean {
  const rest = text.slice(offset, offset + limits.mentions.statement);
  const isKey =
    /^[\p{ID_Continue}$]+\s*:/u.test(rest) &&
    /[{,]\s*$/.test(text.slice(Math.max(0, offset - limits.mentions.ahead), offset));
  if (!isScript(file) || !(isKey || isShorthand(file, text, offset))) return false;
  const close = closing(rest);
  if (close === undefined || !/^\s*=(?![=>])/.test(rest.slice(close + 1))) return false;
  const before = text.slice(Math.max(0, offset - limits.mentions.statement), offset);
  const open = enclosing(before);
  return open !== undefined && before[open] === '{' && /\(\s*$/.test(before.slice(0, open));
}

/**
 * Returns the offset of the name that gives an object its type, if the word at an offset is one of its keys: that of
 * `send` in `send({ x: 1 })`, of `Box` in `const box: Box = { x: 1 }`. `undefined` for every other word.
 */
export function typeGiverOf(file: string, text: string, offset: number): number | undefined {
  const after = text.slice(offset, offset + limits.mentions.ahead);
  if (!isScript(file) || !/^[\p{ID_Continue}$]+\s*[:,}(]/u.test(after)) return undefined;
  const from = Math.max(0, offset - limits.mentions.statement);
  let before = text.slice(from, offset);
  if (!/[{,]\s*$/.test(before)) return undefined;
  for (let open = enclosing(before); open !== undefined; open = enclosing(before)) {
    const bracket = before[open];
    before = before.slice(0, open);
    const giver = bracket === '(' ? called.exec(before) : bracket === '{' ? annotated.exec(before) : null;
    if (giver) return from + giver.index;
    if (bracket === '(' || !/[([,:]\s*$/.test(before)) return undefined;
  }
  return undefined;
}

const called = /[\p{ID_Start}$_][\p{ID_Continue}$]*(?=\s*(?:<[^<>()]*>)?\s*$)/u;
const annotated = /(?<=:\s*)[\p{ID_Start}$_][\p{ID_Continue}$]*(?=\s*(?:<[^<>()]*>)?\s*=\s*$)/u;

/** Returns the offset of the bracket around the end of a text. */
function enclosing(before: string): number | undefined {
  let depth = 0;
  for (let at = before.length - 1; at >= 0; at -= 1) {
    const character = before[at] ?? '';
    if (')]}'.includes(character)) depth += 1;
    else if ('([{'.includes(character)) {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return undefined;
}

/** Returns the offset of the bracket that closes the one around the beginning of a text. */
function closing(rest: string): number | undefined {
  let depth = 0;
  for (let at = 0; at < rest.length; at += 1) {
    const character = rest[at] ?? '';
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return undefined;
}

/** True if the text after a brace has statements: `let a, x` declares `x`. */
function isBlock(inside: string): boolean {
  const own = inside.replace(/[{[(][^{}[\]()]*[)\]}]/g, '');
  return /;|\b(?:let|const|var|return)\s/.test(own);
}
