import { limits } from '../core/limits.ts';
import { closing, codeOnly, enclosing } from './brackets.ts';
import { beginsNames, isScript, linkAt } from './imports.ts';
import { patternOf } from './words.ts';

/** True if the word at an offset of a script is a property and its value at once: `x` in `{ a: 1, x }`. */
export function isShorthand(file: string, text: string, offset: number): boolean {
  if (!isScript(file)) return false;
  const before = text.slice(Math.max(0, offset - limits.mentions.statement), offset);
  const after = text.slice(offset, offset + limits.mentions.ahead);
  // A property with a default, which only a destructuring has, may be an assignment elsewhere.
  if (!/[{,]\s*$/.test(before) || !/^[\p{ID_Continue}$]+\s*(?:[,}]|=(?![=>]))/u.test(after)) return false;
  const open = enclosing(before);
  if (open === undefined || before[open] !== '{') return false;
  const outside = before.slice(0, open);
  if (isExpressionAfter(file, outside)) return false;
  return !declaring.test(outside) && !beginsNames(outside) && !isBlock(before.slice(open + 1));
}

/** True if a brace after a text holds an expression: that of a template, or between tags, which a cast of types resembles. */
function isExpressionAfter(file: string, before: string): boolean {
  return before.endsWith('$') || (/\.(?:[jt]sx|js)$/.test(file) && /(?<!=)>\s{0,99}$/.test(before));
}

/** What precedes a brace with members that are declared there: the begin of a line, and no more than the header. */
const declaring =
  /(?:^|\n)[ \t]*(?:(?:export|default|declare|abstract|const)\s+)*(?:class|enum|interface|namespace)\s+[^{}();=\n'"`]*$/;

/** True if the word at an offset of Rust is a field and its value at once: `total` in `Shop { total, .. }`. */
export function isShorthandField(file: string, text: string, offset: number): boolean {
  if (!file.endsWith('.rs')) return false;
  const before = text.slice(Math.max(0, offset - limits.mentions.statement), offset);
  const after = text.slice(offset, offset + limits.mentions.ahead);
  if (!/[{,]\s*(?:(?:ref|mut)\s+){0,2}$/.test(before) || !/^\w+\s*[,}]/.test(after)) return false;
  const open = enclosing(before);
  if (open === undefined || before[open] !== '{') return false;
  return /(?:^|[^\w:]|::)[A-Z]\w*\s*$/.test(before.slice(0, open).replace(/\benum\s+\w+\s*$/, ''));
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

/** True if the word at an offset is taken out of what a call returns: `const { x } = await load()`. */
export function isTakenFromCall(file: string, text: string, offset: number): boolean {
  if (!isScript(file)) return false;
  const rest = codeOnly(text.slice(offset, offset + limits.mentions.statement));
  const close = closing(rest);
  return close !== undefined && /^\s*(?::[^=;(){}]*)?=(?![=>])[^;\n]*\(/.test(rest.slice(close + 1));
}

/** True if the name at an offset, which a destructuring gives, is exported. */
export function isExportedName(text: string, offset: number): boolean {
  const [name = ''] = /^[\p{ID_Continue}$]+/u.exec(text.slice(offset, offset + limits.mentions.ahead)) ?? [];
  const before = text.slice(Math.max(0, offset - limits.mentions.statement), offset);
  if (/\bexport\s+(?:const|let|var)\s*[{[][^;]*$/.test(before)) return true;
  const escaped = patternOf(name);
  return new RegExp(`\\bexport\\s*(?:default\\s+${escaped}\\b|\\{[^}]*(?<![\\w$])${escaped}(?![\\w$]))`).test(
    text,
  );
}

/** True if the word at an offset of a script is taken out of a value, also out of one inside of it: `x` in `const { a: { x } } = b`. */
export function isInPattern(file: string, text: string, offset: number): boolean {
  if (!isScript(file)) return false;
  let before = text.slice(Math.max(0, offset - limits.mentions.statement), offset);
  let after = text.slice(offset, offset + limits.mentions.statement);
  for (;;) {
    const [open, close] = [enclosing(before), closing(after)];
    if (open === undefined || close === undefined || before[open] === '(') return false;
    [before, after] = [before.slice(0, open), after.slice(close + 1)];
    if (isTypeAfter(before)) return false;
    if (/\b(?:const|let|var)\s*$/.test(before) || pattern.test(after)) return true;
    // The type of a parameter; the colon of a condition has another expression before it.
    if (/[(,]\s*$/.test(before) && /^\s*:/.test(after)) return true;
    if (!/[:,[{]\s*$/.test(before)) return false;
  }
}

/** True if a brace after a text begins the type of a variable or of a parameter. */
function isTypeAfter(before: string): boolean {
  if (!/:\s*$/.test(before)) return false;
  const open = enclosing(before);
  return (open !== undefined && before[open] === '(') || annotating.test(before);
}

const annotating = /(?:\b(?:const|let|var)\s+[\p{ID_Continue}$]+|[}\]])\s*:\s*$/u;

/** True if the word at an offset of a script, where it is declared, is that of a variable or a function and not of a member. */
export function isVariableAt(file: string, text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - limits.mentions.statement), offset);
  const after = text.slice(offset, offset + limits.mentions.ahead);
  if (/\b(?:const|let|var|function|class|enum|namespace)\b[\s*]*$/.test(before)) return true;
  if (/^[\p{ID_Continue}$]+\s*=>/u.test(after)) return true;
  const open = enclosing(before);
  if (open !== undefined && before[open] === '(') return true;
  return isInPattern(file, text, offset) || linkAt(file, text, offset) !== undefined;
}

/** An assignment, or the rest of a function whose parameter is taken apart. */
const pattern = /^\s*(?:=(?![=>])|\)\s*(?:=>|\{))/;

/** True if the text after a brace has statements: `let a, x` declares `x`. */
function isBlock(inside: string): boolean {
  const own = inside.replace(/[{[(][^{}[\]()]*[)\]}]/g, '');
  return /;|\b(?:let|const|var|return)\s/.test(own);
}
