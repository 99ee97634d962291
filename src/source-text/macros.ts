import { extname } from 'node:path';
import { limits } from '../core/limits.ts';
import { groupBy } from '../core/runtime/group-by.ts';
import { Pace } from '../core/runtime/slices.ts';
import { isC } from './c-files.ts';
import { occurrences, type Word } from './words.ts';

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
  /^[ \t]*#[ \t]*(?:ifndef[ \t]+|if[ \t]+!\s*defined\W*)(\w+)[^\n]*\n\s*#[ \t]*define[ \t]+\1[ \t]*(?:1[ \t]*)?\r?\n/m;

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
  return [...eachDefine(text)];
}

function* eachDefine(text: string): Iterable<Macro> {
  for (const match of text.matchAll(define)) yield macroOf(match);
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

/**
 * Returns which of the wanted macros of C have a name in their text, or the name of such a macro. Reads each text once, and
 * none after all are found.
 */
export async function macrosOver(
  texts: AsyncIterable<string>,
  name: string,
  wanted: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const over = new MacrosOver(name, wanted);
  const pace = new Pace();
  for await (const text of texts) {
    for (const macro of eachDefine(text)) {
      const parameters = new Set(macro.parameters);
      for (const { 0: word } of text.slice(macro.start, macro.end).matchAll(words)) {
        if (pace.isDue()) await pace.rest();
        if (!parameters.has(word)) over.add(word, macro.name);
      }
      if (over.isWhole) return over.found;
    }
  }
  return over.found;
}

const words = /[\p{ID_Continue}$]+/gu;

/** Macros by the words of their texts, and those that lead to a name. */
class MacrosOver {
  readonly found = new Set<string>();
  readonly #wanted: ReadonlySet<string>;
  readonly #reached = new Set<string>();
  /** The macros over each word that does not lead to the name as yet. */
  readonly #waiting = new Map<string, Set<string>>();

  constructor(name: string, wanted: ReadonlySet<string>) {
    this.#wanted = wanted;
    this.#reach(name);
  }

  get isWhole(): boolean {
    return this.found.size === this.#wanted.size;
  }

  add(word: string, macro: string): void {
    if (word === macro || this.#reached.has(macro)) return;
    const others = this.#waiting.get(word);
    if (this.#reached.has(word)) this.#reach(macro);
    else if (others) others.add(macro);
    else this.#waiting.set(word, new Set([macro]));
  }

  #reach(first: string): void {
    const next = new Set([first]);
    // The set grows during the loop.
    for (const name of next) {
      if (this.#reached.has(name)) continue;
      this.#reached.add(name);
      if (this.#wanted.has(name)) this.found.add(name);
      for (const macro of this.#waiting.get(name) ?? []) next.add(macro);
      this.#waiting.delete(name);
    }
  }
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
  if (!text.includes('##')) return [];
  const found: JoinedPart[] = [];
  const macros = new MacrosOfText(text);
  for (const { name: macro, start, end, parameters } of macros.all) {
    const body = text.slice(start, end);
    for (let at = body.indexOf('##'); at >= 0; at = body.indexOf('##', at + 2)) {
      const { before, after, isPair } = joinedAt(body, at);
      const isEnd = isPartOf(after.text, name, 'endsWith');
      if (!isEnd && !isPartOf(before.text, name, 'startsWith')) continue;
      const [part, other] = isEnd ? [after, before] : [before, after];
      const rest = isEnd ? name.slice(0, -part.text.length) : name.slice(part.text.length);
      const isSettled = isPair && parameters.includes(other.text) && macros.hasPlainUses(macro);
      found.push({ offset: start + part.start, macro, uses: macros.usesWith(macro, rest), isSettled });
    }
  }
  return found;
}

/** The words beside a `##`, and whether they are all that is joined there. */
interface Joined {
  readonly before: Word;
  readonly after: Word;
  readonly isPair: boolean;
}

/** Words longer than a name may be, and blanks beyond as many, are not followed. */
function joinedAt(body: string, at: number): Joined {
  const behind = at + 2;
  const left = withoutBlanks(body.slice(Math.max(0, at - limits.mentions.quoted), at));
  const right = body.slice(behind, behind + limits.mentions.quoted);
  const beforeText = /(?<!\w)\w+$/.exec(left)?.[0] ?? '';
  const skipped = /^[\s\\]*/.exec(right)?.[0].length ?? 0;
  const afterText = /^\w*/.exec(right.slice(skipped))?.[0] ?? '';
  const isFirst = !withoutBlanks(left.slice(0, left.length - beforeText.length)).endsWith('##');
  const isLast = !/^[\s\\]*##/.test(right.slice(skipped + afterText.length));
  const start = Math.max(0, at - limits.mentions.quoted) + left.length - beforeText.length;
  return {
    before: { start, text: beforeText },
    after: { start: behind + skipped, text: afterText },
    isPair: isFirst && isLast,
  };
}

/** Leaves out the blanks at the end, and the marks of lines that are continued. */
function withoutBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && ' \t\r\n\\'.includes(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}

function isPartOf(part: string, name: string, how: 'startsWith' | 'endsWith'): boolean {
  return part.length >= limits.mentions.joinedPart && part.length < name.length && name[how](part);
}

/** The macros that a text of C defines, and their uses there, which are looked for at once. */
class MacrosOfText {
  readonly all: readonly Macro[];
  readonly #text: string;
  readonly #names: ReadonlySet<string>;
  #uses: ReadonlyMap<string, readonly Use[]> | undefined;

  constructor(text: string) {
    this.#text = text;
    this.all = definesIn(text);
    this.#names = new Set(this.all.map(({ name }) => name));
  }

  /** Returns whether all uses of a macro are outside of other macros, with words that are no macros themselves. */
  hasPlainUses(macro: string): boolean {
    const uses = this.#usesOf(macro);
    return uses.length > 0 && uses.every(({ isPlain }) => isPlain);
  }

  /** Returns the offsets of a macro where an argument is a word. */
  usesWith(macro: string, argument: string): readonly number[] {
    const uses = this.#usesOf(macro);
    return uses.filter(({ given }) => given.includes(argument)).map(({ offset }) => offset);
  }

  #usesOf(macro: string): readonly Use[] {
    this.#uses ??= this.#findUses();
    return this.#uses.get(macro) ?? [];
  }

  #findUses(): ReadonlyMap<string, readonly Use[]> {
    const uses: (Use & { readonly macro: string })[] = [];
    const around = this.all.values();
    let next = around.next();
    for (const { 0: macro, index: offset } of this.#text.matchAll(words)) {
      if (!this.#names.has(macro) || isOfDirective(this.#text, offset)) continue;
      while (!next.done && next.value.end <= offset) next = around.next();
      const isInMacro = !next.done && next.value.start <= offset;
      const given = this.#argumentsAt(offset + macro.length);
      const isWord = (one: string) => /^\w*$/.test(one) && !this.#names.has(one);
      uses.push({ macro, offset, given, isPlain: !isInMacro && given.length > 0 && given.every(isWord) });
    }
    return groupBy(uses, ({ macro }) => macro);
  }

  /** Returns what is in the brackets behind an offset; nothing if there are none. */
  #argumentsAt(offset: number): readonly string[] {
    const brackets = /\s*\(([^()]*)\)/y;
    brackets.lastIndex = offset;
    const given = brackets.exec(this.#text)?.[1]?.split(',') ?? [];
    return given.map((one) => one.trim());
  }
}

/** A use of a macro. */
interface Use {
  readonly offset: number;
  readonly given: readonly string[];
  readonly isPlain: boolean;
}

/** Returns whether a word is what a directive of the preprocessor defines, forgets or asks for. */
function isOfDirective(text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - limits.mentions.quoted), offset);
  return /^[ \t]*#[ \t]*(?:define|undef|ifdef|ifndef)[ \t]+$/.test(
    before.slice(before.lastIndexOf('\n') + 1),
  );
}
