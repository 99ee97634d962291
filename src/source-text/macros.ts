import { extname } from 'node:path';
import { limits } from '../core/limits.ts';
import { isC } from './c-files.ts';
import { occurrences } from './words.ts';

/** The definition of a macro in a text. */
interface Macro {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** The names of its parameters. */
  readonly parameters: readonly string[];
}

/** A macro whose definition contains a word, and whether the word is one of its parameters. */
export interface MacroAround {
  readonly name: string;
  readonly isParameter: boolean;
}

/** Returns the macro whose definition contains the word at an offset: what it means is known only where it is used. */
export function macroAt(file: string, text: string, offset: number, word: string): MacroAround | undefined {
  const ending = extname(file).slice(1).toLowerCase();
  const inside = ({ start, end }: Macro) => start <= offset && offset < end;
  const macro = ending === 'rs' ? rulesIn(text).find(inside) : isC(file) ? defineAt(text, offset) : undefined;
  return macro && { name: macro.name, isParameter: macro.parameters.includes(word) };
}

/** True if the word at an offset of C is the name of a macro that is defined only under a condition. */
export function isConditionalMacro(file: string, text: string, offset: number, name: string): boolean {
  const macro = isC(file) ? defineAt(text, offset) : undefined;
  if (macro?.name !== name) return false;
  const before = text.slice(0, macro.start);
  const depth = [...before.matchAll(conditions)].reduce(
    (sum, [, word]) => sum + (word === 'endif' ? -1 : 1),
    0,
  );
  return depth > (guard.test(before) ? 1 : 0);
}

const conditions = /^[ \t]*#[ \t]*(if|ifdef|ifndef|endif)\b/gm;

/** The condition around a header that lets it be read once. */
const guard =
  /^[ \t]*#[ \t]*(?:ifndef[ \t]+|if[ \t]+!\s*defined\W*)(\w+)[^\n]*\s+#[ \t]*define[ \t]+\1[ \t]*(?:1[ \t]*)?\r?\n/m;

/**
 * True if a word in a string is the end of a path that an attribute of Rust gives to a macro: `"a::parse"` in
 * `#[serde(with = "a::parse")]`.
 */
export function isAttributePath(
  file: string,
  text: string,
  { start, end }: { start: number; end: number },
): boolean {
  if (!file.endsWith('.rs') || text[end] !== '"') return false;
  const before = text.slice(Math.max(0, start - limits.mentions.attribute), start);
  const opened = Math.max(before.lastIndexOf('#['), before.lastIndexOf('#!['));
  return opened >= 0 && pathValue.test(before.slice(opened));
}

/** An attribute up to the last word of a path in a string, which is neither a feature nor a name outside of Rust. */
const pathValue = /^[^\]]*\b(?!feature\b|rename\w*\b|tag\b|content\b|doc\b|path\b)\w+\s*=\s*"(?:\w+::)*$/;

/** Matches a line with its continuation lines. */
const define = /^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\(([^)\n]*)\))?(?:\\\r?\n|\\.|[^\\\n])*/gm;

/** Returns the definition around an offset, which may begin on a line before and be continued. */
function defineAt(text: string, offset: number): Macro | undefined {
  const startOfLine = (at: number) => text.lastIndexOf('\n', at - 1) + 1;
  let start = startOfLine(offset);
  while (/\\\r?\n$/.test(text.slice(Math.max(0, start - 3), start))) start = startOfLine(start - 1);
  const sticky = new RegExp(define, 'my');
  sticky.lastIndex = start;
  const match = sticky.exec(text);
  return match ? macroOf(match) : undefined;
}

/** Returns the names of the macros that a text of C defines. */
export function macrosIn(text: string): readonly string[] {
  return definesIn(text).map(({ name }) => name);
}

function definesIn(text: string): Macro[] {
  return [...text.matchAll(define)].map(macroOf);
}

function macroOf({ 0: all, 1: name = '', 2: listed = '', index }: RegExpExecArray): Macro {
  const parameters = listed.split(',').map((one) => one.trim());
  return { name, start: index, end: index + all.length, parameters };
}

/** Parameters begin with a `$` in Rust, so they are never mere words. */
function rulesIn(text: string): Macro[] {
  const rules = /\bmacro_rules!\s*(\w+)\s*[{([]/g;
  const found: Macro[] = [];
  for (let match = rules.exec(text); match; match = rules.exec(text)) {
    // A nested definition belongs to the outer one.
    rules.lastIndex = closing(text, rules.lastIndex);
    found.push({ name: match[1] ?? '', start: match.index, end: rules.lastIndex, parameters: [] });
  }
  return found;
}

/** Returns the offset after the closing bracket; one in a string only makes the end too early or too late. */
function closing(text: string, from: number): number {
  const brackets = /[{([\])}]/g;
  brackets.lastIndex = from;
  let depth = 1;
  for (let match = brackets.exec(text); match; match = brackets.exec(text)) {
    depth += '{(['.includes(match[0]) ? 1 : -1;
    if (depth === 0) return brackets.lastIndex;
  }
  return text.length;
}

/** Returns the names of the macros of C whose text has a name: they stand for it where they are used. */
export function macrosWith(text: string, name: string): readonly string[] {
  const found = definesIn(text).filter(
    ({ name: macro, start, end, parameters }) =>
      macro !== name && !parameters.includes(name) && occurrences(text.slice(start, end), name).length > 0,
  );
  return [...new Set(found.map((one) => one.name))];
}

/** Returns a name and the macros of C whose text has it, or has the name of such a macro. */
export function macrosOver(texts: readonly string[], name: string): ReadonlySet<string> {
  const names = new Set([name]);
  // The set grows during the loop.
  for (const one of names)
    for (const text of texts) for (const macro of macrosWith(text, one)) names.add(macro);
  return names;
}

/** A word that a macro joins with others, and where it is used with the rest of a name. */
export interface JoinedPart {
  readonly offset: number;
  /** The name of the macro. */
  readonly macro: string;
  /** The offsets of the macro where one of its arguments is the rest. */
  readonly uses: readonly number[];
  /** True if the text shows every use of the macro, each with plain words: it joins no other names than these. */
  readonly isSettled: boolean;
}

/**
 * Returns the words that macros of C join with others to what may be a name: `_open` in
 * `#define CALL(of) of ## _open()`, given `file_open`, which is used in `CALL(file)`.
 */
export function joinedPartsOf(text: string, name: string): readonly JoinedPart[] {
  const found: JoinedPart[] = [];
  for (const { name: macro, start, end, parameters } of definesIn(text)) {
    for (const { 0: all, 1: before = '', 2: after = '', index } of text.slice(start, end).matchAll(joins)) {
      const isEnd = isPartOf(after, name, 'endsWith');
      if (!isEnd && !isPartOf(before, name, 'startsWith')) continue;
      const offset = start + index + (isEnd ? all.length - after.length : 0);
      const rest = isEnd ? name.slice(0, -after.length) : name.slice(before.length);
      const isPair =
        isAlone(text.slice(start, end), index, all.length) && parameters.includes(isEnd ? before : after);
      const isSettled = isPair && hasPlainUses(text, macro);
      found.push({ offset, macro, uses: usesWith(text, macro, rest), isSettled });
    }
  }
  return found;
}

const joins = /(\w*)[ \t]*(?:\\\r?\n)?[ \t]*##[ \t]*(?:\\\r?\n)?[ \t]*(\w*)/g;

/** Returns whether two joined words are all that is joined there, and no third. */
function isAlone(body: string, start: number, length: number): boolean {
  return !/##[\s\\]*$/.test(body.slice(0, start)) && !/^[\s\\]*##/.test(body.slice(start + length));
}

function isPartOf(part: string, name: string, how: 'startsWith' | 'endsWith'): boolean {
  return part.length >= limits.mentions.joinedPart && part.length < name.length && name[how](part);
}

/** Returns whether all uses of a macro in a text are outside of other macros, with words that are no macros themselves. */
function hasPlainUses(text: string, macro: string): boolean {
  const macros = definesIn(text);
  const names = new Set(macros.map(({ name }) => name));
  const isInMacro = (offset: number) => macros.some(({ start, end }) => start <= offset && offset < end);
  const uses = occurrences(text, macro).filter((offset) => !isOfDirective(text, offset));
  const argumentsAt = new RegExp(`${macro}\\s*\\(([^()]*)\\)`, 'y');
  const isPlain = (offset: number) => {
    argumentsAt.lastIndex = offset;
    const given = argumentsAt
      .exec(text)?.[1]
      ?.split(',')
      .map((one) => one.trim());
    return !isInMacro(offset) && given?.every((one) => /^\w*$/.test(one) && !names.has(one)) === true;
  };
  return uses.length > 0 && uses.every(isPlain);
}

/** Returns whether a word is what a directive of the preprocessor defines, forgets or asks for. */
function isOfDirective(text: string, offset: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*#[ \t]*(?:define|undef|ifdef|ifndef)[ \t]+$/.test(line);
}

function usesWith(text: string, macro: string, argument: string): readonly number[] {
  const uses = text.matchAll(new RegExp(`(?<!\\bdefine[ \\t]+)\\b${macro}\\s*\\(([^()]*)\\)`, 'g'));
  return [...uses]
    .filter(({ 1: given = '' }) => given.split(',').some((one) => one.trim() === argument))
    .map(({ index }) => index);
}
