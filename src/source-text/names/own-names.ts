import { limits } from '../../core/limits.ts';
import { closing, codeOnly, enclosing } from '../brackets.ts';
import { isShorthand } from '../destructuring.ts';
import { exportedNameAt } from '../exports.ts';
import { isScript } from '../imports.ts';
import { lexicalAt } from '../lexical.ts';
import { occurrences, patternOf } from '../words.ts';

/** How a module of a script has a name to itself: as what it declares, or as what it calls another module. */
export type OwnName = 'declared' | 'module';

/**
 * Returns how the word at an offset is a module's own: declared at its top and not exported, so that nothing in another file
 * can be a use, or bound to another module as a whole, so that a rename stays in the file. `undefined` for everything else.
 */
export function ownNameAt(file: string, text: string, offset: number): OwnName | undefined {
  if (!isScript(file) || /\.d\.[cm]?ts$/.test(file)) return undefined;
  const [name = ''] = /^[\p{ID_Continue}$]+/u.exec(text.slice(offset, offset + limits.mentions.ahead)) ?? [];
  const { line, column } = lineAt(text, offset);
  if (name === '' || !isModule(file, text) || !isVariable(file, text, offset, line, column)) return undefined;
  const found = occurrences(text, name);
  const atTop = found.filter((at) => top.test(beforeOnLine(text, at)));
  if (!atTop.every((at) => hidden.test(beforeOnLine(text, at)))) return undefined;
  if (atTop.length === 0 && !found.some((at) => isFurther(text, at))) return undefined;
  if (isGiven(text, found) || found.some((at) => exportedNameAt(file, text, at) !== undefined))
    return undefined;
  return isBoundToModule(text, name) ? 'module' : 'declared';
}

/** True if what a text declares is its own: it is a module, and adds nothing to the globals. */
function isModule(file: string, text: string): boolean {
  if (/\bdeclare\s+global\b/.test(text)) return false;
  const isCode = (match: RegExpExecArray | null) =>
    match !== null && lexicalAt(file, text, [match.index])[0] === 'code';
  if (isCode(/^(?:import\b(?!\s*\()|export\b)/m.exec(text))) return true;
  return commonJs.test(file) && isCode(/\brequire\s*\(\s*['"`]|\b(?:module\.)?exports\b/.exec(text));
}

const commonJs = /\.c?jsx?$/;

/** True if a word is no member and no key, which may be called as the symbol is. */
function isVariable(file: string, text: string, offset: number, line: string, column: number): boolean {
  const before = line.slice(0, column);
  if (/[.#]\s*$/.test(before) || isShorthand(file, text, offset)) return false;
  return !(/(?:^|[{,(])\s*$/.test(before) && /^[\w$]+\s*\??:/.test(line.slice(column)));
}

/** True for `b` in `var a = 1,\n  b = 2`, at the top of a text: all lines of the statement but the first are indented. */
function isFurther(text: string, offset: number): boolean {
  if (!/(?:^|,)\s+$/.test(beforeOnLine(text, offset))) return false;
  const earliest = offset - limits.mentions.statement;
  let start = offset;
  do start = text.lastIndexOf('\n', start - 1);
  while (start > 0 && start > earliest && /[\s,)\]}]/.test(text[start + 1] ?? ''));
  const statement = codeOnly(text.slice(start + 1, offset));
  if (!/^(?:const|let|var)\b/.test(statement)) return false;
  return /,\s*$/.test(statement) && !statement.includes(';') && enclosing(statement) === undefined;
}

/** True if one of the words is in a statement about `exports`, which may give it under any name and in any form. */
function isGiven(text: string, words: readonly number[]): boolean {
  const places = [...text.matchAll(/\bexports\b/g)];
  if (places.length === 0) return false;
  const code = codeOnly(text);
  // What a call returns, or a member, is not what has the name.
  const given = words.filter(
    (at) => !/^[\p{ID_Continue}$]+\s*[.(]/u.test(code.slice(at, at + limits.mentions.ahead)),
  );
  let end = 0;
  return places.some(({ index }) => {
    if (index < end) return false;
    const values = valuesOf(code, index);
    end = values.at(-1)?.to ?? end;
    return holdAny(values, given);
  });
}

/** True if one of some offsets is in one of some parts of a text; both ascend. */
function holdAny(
  parts: readonly { readonly from: number; readonly to: number }[],
  offsets: readonly number[],
): boolean {
  let next = 0;
  return parts.some(({ from, to }) => {
    while ((offsets[next] ?? to) < from) next += 1;
    return (offsets[next] ?? to) < to;
  });
}

/**
 * Returns the parts of a statement that are no bodies of functions and classes. It ends with a line in no bracket that the
 * next one does not go on with.
 */
function valuesOf(code: string, inside: number): readonly { readonly from: number; readonly to: number }[] {
  const found: { from: number; to: number }[] = [];
  let [from, depth] = [code.lastIndexOf('\n', inside) + 1, 0];
  let at = inside;
  for (; at < code.length; at += 1) {
    const character = code[at] ?? '';
    if (character === '{' && beginsBody.test(code.slice(Math.max(0, at - limits.mentions.ahead), at))) {
      found.push({ from, to: at });
      at = Math.min(at + 1 + (closing(code.slice(at + 1)) ?? code.length), code.length);
      from = at;
    } else if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
    else if (depth <= 0 && (character === ';' || (character === '\n' && !isContinued(code, at)))) break;
  }
  return [...found, { from, to: at }];
}

/** Before the brace of a function, a method or a class. */
const beginsBody = /(?:\)|=>|\bclass\b[^{}()[\]=,;]*)\s*$/;

function isContinued(code: string, end: number): boolean {
  return (
    /[=,+\-*/%&|?:<>(]\s*$/.test(code.slice(Math.max(0, end - limits.mentions.ahead), end)) ||
    /^\s*[=,.+\-*/%&|?:<>]/.test(code.slice(end, end + limits.mentions.ahead))
  );
}

/** True for `name` in `const name = require('module')`: the file chose it. */
function isBoundToModule(text: string, name: string): boolean {
  const own = patternOf(name);
  return new RegExp(
    `(?:(?:^|\\n)(?:const|let|var)|,)\\s+${own}\\s*=\\s*require\\s*\\(\\s*['"\`][^'"\`\\n]*['"\`]\\s*\\)[ \\t]*(?:[;,\\n/]|$)`,
  ).test(text);
}

function beforeOnLine(text: string, offset: number): string {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
}

function lineAt(text: string, offset: number): { readonly line: string; readonly column: number } {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset);
  return { line: text.slice(start, end < 0 ? text.length : end), column: offset - start };
}

const top =
  /^(?:(?:export|default|declare|abstract|async)\s+)*(?:const|let|var|function|class|interface|type|enum|namespace|module)\b[\s*]*$/;
const hidden = /^(?:(?:abstract|async)\s+)*(?:const|let|var|function|class|interface|type|enum)\b[\s*]*$/;
