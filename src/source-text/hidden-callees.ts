import { limits } from '../core/limits.ts';
import { codeOnly, enclosing, outermost } from './brackets.ts';
import { isReserved } from './reserved-words.ts';
import type { Word } from './words.ts';

/**
 * Returns the names that a script calls in forms which servers leave out of what a function calls: `s['run'](3)`,
 * `(arrow)()`, `arrow!()`. `text` may be a part of it, such as a function.
 */
export function hiddenCallees(file: string, text: string): readonly Word[] {
  if (!mayHide.test(text)) return [];
  const code = codeOnly(text);
  const asserted = [...code.matchAll(assertedCall)]
    .filter(([, name = '']) => !isReserved(file, name))
    .map(({ index }) => index);
  const found = [...asserted, ...quotedCallees(text, code), ...bracketedCallees(file, code)];
  return found.sort((a, b) => a - b).map((start) => ({ start, text: nameAt(text, start) }));
}

function nameAt(text: string, offset: number): string {
  return /^[\p{ID_Continue}$]+/u.exec(text.slice(offset, offset + limits.mentions.quoted))?.[0] ?? '';
}

const mayHide = /[)\]!]\s*(?:\?\.\s*)?\(/;

/** A name whose value is asserted not to be missing, and called. */
const assertedCall = /(?<![\p{ID_Continue}$])([\p{ID_Start}$_][\p{ID_Continue}$]*)!+(?:\?\.)?\(/gu;

/** A member that is named by a string, and called. */
const quotedCall = /\[\s*(['"`])[\p{ID_Start}$_][\p{ID_Continue}$]*\1\s*\]!?(?:\?\.)?\(/gu;

function quotedCallees(text: string, code: string): readonly number[] {
  return [...text.matchAll(quotedCall)]
    .filter(({ index }) => code[index] === '[' && endsValue.test(code.slice(0, index)))
    .map(({ index, 0: all, 1: quote = '' }) => index + all.indexOf(quote) + 1);
}

/** Precedes the bracket of a member. */
const endsValue = /(?:[\p{ID_Continue}$)\]!]|\?\.)$/u;

/** Returns the names in brackets that are called: `(a ?? b)()` calls either. */
function bracketedCallees(file: string, code: string): readonly number[] {
  return [...code.matchAll(bracketedCall)].flatMap(({ index: close }) => {
    const begin = Math.max(0, close - limits.mentions.statement);
    const open = enclosing(code.slice(begin, close));
    if (open === undefined || !beginsValue(code.slice(0, begin + open))) return [];
    return namesOfValue(file, code.slice(begin + open + 1, close)).map((at) => begin + open + 1 + at);
  });
}

const bracketedCall = /\)!?\s*(?:\?\.\s*)?\(/g;

/** True if a bracket after a text is around a value; otherwise it is around arguments, parameters or a condition. */
function beginsValue(before: string): boolean {
  const [, word] = /([\p{ID_Continue}$]+)\s*$/u.exec(before) ?? [];
  if (word !== undefined) return operators.has(word);
  return !/(?:[)\]'"`.#]|(?<!=)>|[\p{ID_Continue}$)\]]!)\s*$/u.test(before);
}

/** Words that precede a value. */
const operators: ReadonlySet<string> = new Set(
  'return await new typeof void yield throw case in of delete else do instanceof default'.split(' '),
);

/** Returns the offsets of the names whose values an expression of a script may have: `a` and `b` in `x ? a : b`. */
export function namesOfValue(file: string, inner: string): readonly number[] {
  const typed = outermost(inner).search(/\s(?:as|satisfies)\s/);
  const value = typed < 0 ? inner : inner.slice(0, typed);
  if (/=>|\b(?:function|class)\b/.test(value)) return [];
  const last = outermost(value).replace(/^.*,/s, blanked);
  return [...last.matchAll(operand)].flatMap(({ index, 0: all, 1: name = '' }) => {
    const at = index + all.lastIndexOf(name);
    const isName = /^!*$/.test(value.slice(at + name.length, index + all.length).trim());
    return isName && !isReserved(file, name) ? [at] : [];
  });
}

function blanked(part: string): string {
  return ' '.repeat(part.length);
}

/** A name whose value a whole expression may have, with what it is a member of. */
const operand =
  /(?<=^|\?\?|\|\||&&|[?:])\s*(?:await\s+)?(?:[\p{ID_Continue}$]+!?\s*\??\.\s*)*([\p{ID_Start}$_][\p{ID_Continue}$]*)!*\s*(?=$|\?\?|\|\||:)/gu;
