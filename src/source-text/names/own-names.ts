import { limits } from '../../core/limits.ts';
import { closing, enclosing } from '../brackets.ts';
import { isShorthand } from '../destructuring.ts';
import { exportedNameAt } from '../exports.ts';
import { isScript } from '../imports.ts';
import { lexicalAt } from '../lexical.ts';
import { occurrences, patternOf } from '../words.ts';

/** How a module of a script has a name to itself: as what it declares, or as what it calls another module. */
export type OwnName = 'declared' | 'module';

/**
 * Returns how the word at an offset is a module's own: declared at its top and not exported, so that nothing in another file
 * can be a use, or bound to another module as a whole, so that a rename stays in the file. `undefined` for everything else, and
 * wherever the file has the name for anything but a variable: its value may be found under it from outside.
 */
export function ownNameAt(file: string, text: string, offset: number): OwnName | undefined {
  if (!isScript(file) || /\.d\.[cm]?ts$/.test(file)) return undefined;
  const [name = ''] = /^[\p{ID_Continue}$]+/u.exec(text.slice(offset, offset + limits.mentions.ahead)) ?? [];
  if (name === '' || !isModule(file, text) || reflecting.test(text)) return undefined;
  const all = occurrences(text, name);
  const kinds = lexicalAt(file, text, all);
  const words = all.filter((_, index) => kinds[index] === 'code');
  if (all.some((at, index) => kinds[index] === 'string' && isWhole(text, at, name))) return undefined;
  if (!words.includes(offset) || !words.every((at) => isVariable(file, text, at, name))) return undefined;
  if (!isDeclaredInside(text, words)) return undefined;
  if (isGiven(text, words) || words.some((at) => exportedNameAt(file, text, at) !== undefined))
    return undefined;
  return isBoundToModule(text, name) ? 'module' : 'declared';
}

/** A text in which a value may be found by its name, or in which declarations are not those of a module. */
const reflecting =
  /\beval\s*\(|\bwith\s*\(|\.name\s*\]|\bdeclare\s+(?:global|module)\b|\bmodule\s+['"]|\btypeof\s+(?:module|exports|require|define)\b|\b(?:define|requirejs)\s*\(/;

/** True if what a text declares is its own: it is a module. */
function isModule(file: string, text: string): boolean {
  const isCode = (match: RegExpExecArray | null) =>
    match !== null && lexicalAt(file, text, [match.index])[0] === 'code';
  if (isCode(standard.exec(text))) return true;
  return (
    commonJs.test(file) &&
    isCode(/(?<![\w$.])(?:require\s*\(\s*['"`]|(?:module\.)?exports(?:\.[\w$]+)?\s*=)/.exec(text))
  );
}

const standard =
  /^(?:import\s*(?:type\s+)?(?:['"{*]|[\w$]+\s*(?:,|from\b|=\s*require\b))|export\s*(?:[{*=]|(?:default|const|let|var|function|class|async|abstract|interface|type|enum|namespace|declare|import)\b))/m;
const commonJs = /\.c?jsx?$/;

/** True for the word in `'word'`. */
function isWhole(text: string, offset: number, name: string): boolean {
  const mark = text[offset - 1] ?? '';
  return /['"`]/.test(mark) && text[offset + name.length] === mark;
}

/** True if a word is no member, no key, no method and no attribute, which may be called as the symbol is. */
function isVariable(file: string, text: string, offset: number, name: string): boolean {
  const before = text.slice(Math.max(0, offset - limits.mentions.ahead), offset);
  const after = text.slice(offset + name.length, offset + name.length + limits.mentions.ahead);
  if (/(?:(?<!\.\.)\.|#)\s*$/.test(before) || isShorthand(file, text, offset)) return false;
  if (/\b(?:get|set|static|public|private|protected|readonly|override|accessor)\s+$/.test(before))
    return false;
  if (/^=["'{]/.test(after) || (/(?:^|[{,(;])\s*(?:\[\s*)?$/.test(before) && /^\s*\??:/.test(after)))
    return false;
  if (!/(?:^|[{},;\n])\s*(?:async\s+)?\*?\s*$/.test(before)) return true;
  if (isFurther(text, offset)) return true;
  // At the begin of a statement or of a member: an assignment may be a field, and a call with a body is a method.
  return !/^\s*[?!]?\s*(?:=(?![=>])|:|;|<)/.test(after) && !isMethod(text, offset + name.length);
}

function isMethod(text: string, end: number): boolean {
  const rest = text.slice(end, end + limits.mentions.statement);
  const [open = ''] = /^\s*\(/.exec(rest) ?? [];
  if (open === '') return false;
  const close = closing(rest.slice(open.length));
  return close === undefined || /^\)\s*[{:]/.test(rest.slice(open.length + close));
}

/** True if the words are declared at the top of a text, and none of them is exported there. */
function isDeclaredInside(text: string, words: readonly number[]): boolean {
  const atTop = words.filter((at) => top.test(beforeOnLine(text, at)));
  if (!atTop.every((at) => hidden.test(beforeOnLine(text, at)))) return false;
  const [first] = atTop;
  if (first === undefined) return words.some((at) => isFurther(text, at));
  return enclosing(codeOnly(text.slice(0, first))) === undefined;
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

/** True if `exports` may give one of the words, under any name and in any form. */
function isGiven(text: string, words: readonly number[]): boolean {
  if (!/\bexports\b/.test(text)) return false;
  const code = codeOnly(text);
  const places = [...code.matchAll(/\bexports\b/g)].map(({ index }) => index);
  // Whoever has the object can add to it.
  if (places.some((at) => !isPlain(code, at))) return true;
  // What a call returns, or a member, is not what has the name.
  const given = words.filter(
    (at) => !/^[\p{ID_Continue}$]+\s*(?:\.|\()/u.test(code.slice(at, at + limits.mentions.ahead)),
  );
  let end = 0;
  return places.some((index) => {
    if (index < end) return false;
    const from = code.lastIndexOf('\n', index) + 1;
    end = endOfStatement(code, index);
    return holdsAny(from, end, given);
  });
}

/** True for `exports.name` and `exports =`. */
function isPlain(code: string, offset: number): boolean {
  const before = code.slice(Math.max(0, offset - limits.mentions.ahead), offset);
  const after = code.slice(offset + 'exports'.length, offset + limits.mentions.ahead);
  if (/^\s*=(?!=)/.test(after)) return !/(?<!\bexports\s*)=\s*(?:module\s*\.\s*)?$/.test(before);
  return /^\s*\.\s*[\w$]/.test(after);
}

function holdsAny(from: number, to: number, ascending: readonly number[]): boolean {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((ascending[middle] ?? to) < from) low = middle + 1;
    else high = middle;
  }
  return (ascending[low] ?? to) < to;
}

/** Returns where a statement ends: at the end of a line in no bracket that the next one does not go on with. */
function endOfStatement(code: string, from: number): number {
  let depth = 0;
  for (let at = from; at < code.length; at += 1) {
    const character = code[at] ?? '';
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
    else if (depth <= 0 && (character === ';' || (character === '\n' && !isContinued(code, at)))) return at;
  }
  return code.length;
}

function isContinued(code: string, end: number): boolean {
  return (
    /[=,+\-*/%&|?:<>(]\s*$/.test(code.slice(Math.max(0, end - limits.mentions.ahead), end)) ||
    /^\s*[=,.+\-*/%&|?:<>]/.test(code.slice(end, end + limits.mentions.ahead))
  );
}

/** Blanks comments, strings, templates and regular expressions, and keeps every offset. */
function codeOnly(text: string): string {
  return text.replaceAll(texts, (part) => part.replaceAll(/[^\n]/g, ' '));
}

const texts =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`|(?<=[(,=:[!&|?{};]\s{0,9})\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n]){0,99}\]|[^/\\\n[]){1,299}\//g;

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

const top =
  /^(?:(?:export|default|declare|abstract|async)\s+)*(?:const|let|var|function|class|interface|type|enum|namespace|module)\b[\s*]*$/;
const hidden = /^(?:(?:abstract|async)\s+)*(?:const|let|var|function|class|interface|type|enum)\b[\s*]*$/;
