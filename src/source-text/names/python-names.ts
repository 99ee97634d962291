import { limits } from '../../core/limits.ts';
import { isFree, isPython } from '../imports.ts';
import { lexicalAt } from '../lexical.ts';
import { isLinkAt, type ModuleLink, pythonLinks } from '../module-links.ts';
import { occurrences } from '../words.ts';

/** Returns the names with dots before the word at an offset of Python: `a.b` of `a.b.name()`. */
export function pythonReceiverAt(file: string, text: string, offset: number): string | undefined {
  if (!isPython(file)) return undefined;
  const before = text.slice(Math.max(0, offset - limits.mentions.ahead), offset);
  const names = /(?<![\w.)\]'"])([^\W\d][\w.]*)\.$/.exec(before)?.[1];
  return names !== undefined && isFree(text, offset - names.length - 1) ? names : undefined;
}

/**
 * Returns the offset of the variable whose name a word in a string of Python must be: of the first `T` in
 * `T = TypeVar("T")`.
 */
export function variableNamedBy(
  file: string,
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): number | undefined {
  if (!isPython(file) || !/["']/.test(text[end] ?? '')) return undefined;
  const from = Math.max(0, start - limits.mentions.ahead);
  const match = ownName.exec(text.slice(from, start));
  if (!match || match[2] !== text.slice(start, end)) return undefined;
  return from + match.index + (match[1] ?? '').length;
}

/** Type checkers compare the first argument of these with the name of the variable. */
const ownName =
  /((?:^|\n)[ \t]*)(\w+)[ \t]*(?::[^=\n]*)?=\s*(?:\w+\.)*(?:NamedTuple|NewType|ParamSpec|TypeAliasType|TypeVar|TypeVarTuple|TypedDict|namedtuple)\(\s*["']$/;

/** True if a word is a string among those of `__all__`, which says what a Python module exports. */
export function isInAll(file: string, text: string, word: Stretch): boolean {
  const quote = text[word.start - 1] ?? '';
  if (!isPython(file) || !/["']/.test(quote) || text[word.end] !== quote) return false;
  const from = windowBefore(text, text.slice(word.start - 1, word.end + 1), word.start - 1);
  return openList(text.slice(from, word.start - 1), '__all__') !== undefined;
}

/**
 * Returns the offset of the list of a class in which a string of Python names a member: `__match_args__ = ("left",)` or
 * `__slots__ = "left right".split()`.
 */
export function memberListAt(file: string, text: string, word: Stretch): number | undefined {
  if (!isPython(file)) return undefined;
  const before = text.slice(Math.max(0, word.start - limits.mentions.ahead), word.start);
  const [whole = '', open] = /(["'])[\w ,]*$/.exec(before) ?? [];
  const [, close] = /^[\w ,]*(["'])/.exec(text.slice(word.end, word.end + limits.mentions.ahead)) ?? [];
  if (open === undefined || open !== close) return undefined;
  const quote = word.start - whole.length;
  const from = Math.max(0, quote - limits.mentions.statement);
  const part = text.slice(from, quote);
  const list = openList(part, '__match_args__') ?? openList(part, '__slots__');
  return list === undefined ? undefined : from + list;
}

/** Returns where the statement begins that gives a variable a list, if the end of a part of a text is in it. */
function openList(before: string, variable: string): number | undefined {
  for (let at = before.lastIndexOf(variable); at >= 0; at = before.lastIndexOf(variable, at - 1)) {
    const after = at + variable.length;
    const opening = beginsStatement(before, at) ? listing.exec(before.slice(after)) : undefined;
    if (opening) return isStillOpen(before.slice(after + opening[0].length)) ? at : undefined;
    if (at === 0) return undefined;
  }
  return undefined;
}

/** Returns where to search from: no list has the same entry very often, so that many entries are searched in linear time. */
function windowBefore(text: string, entry: string, offset: number): number {
  const least = Math.max(0, offset - limits.mentions.list);
  const part = text.slice(least, offset);
  let from = part.length;
  for (let left = limits.mentions.sameEntries; left > 0 && from > 0; left -= 1)
    from = part.lastIndexOf(entry, from - 1);
  return least + Math.max(0, from);
}

/** True if only spaces are before an offset on its line. */
function beginsStatement(text: string, offset: number): boolean {
  let at = offset - 1;
  while (text[at] === ' ' || text[at] === '\t') at -= 1;
  return at < 0 || text[at] === '\n' || text[at] === '\r';
}

/** After the name of the variable. */
const listing = /^[ \t]*(?::[^=\n]*)?(?:\+?=|\.(?:append|extend|insert)(?=\())/;

/** True if the end of a part of a statement of Python is in the same statement, and in no string. */
function isStillOpen(code: string): boolean {
  let depth = 0;
  for (const [token] of code.matchAll(listTokens)) {
    if (token === '"' || token === "'") return false;
    if (/^[([{]/.test(token)) depth += 1;
    else if (/^[)\]}]/.test(token)) depth -= 1;
    else if (depth <= 0 && /^[\n;]/.test(token)) return false;
  }
  return true;
}

/** Closed strings, comments, lines that go on, and what tells where a statement ends. */
const listTokens =
  /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'|#[^\n]*|\\\r?\n|[()[\]{}\n;"']/g;

/**
 * True if a word in a string of Python is a type, as in `def f(a: "List[Name]") -> "Name"`. Only names as classes have are
 * told from other strings by what is around them.
 */
export function isQuotedType(
  file: string,
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): boolean {
  if (!isPython(file) || !/^_*[A-Z]/.test(text.slice(start, end))) return false;
  const [from, to] = [text.lastIndexOf('\n', start - 1) + 1, text.indexOf('\n', end)];
  const before = text.slice(Math.max(from, start - limits.mentions.ahead), start);
  const after = text.slice(end, Math.min(to === -1 ? text.length : to, end + limits.mentions.ahead));
  const [, mark] = typeBefore.exec(before) ?? [];
  if (mark === undefined || typeAfter.exec(after)?.[1] !== mark) return false;
  // Not in a text about code.
  return lexicalAt(file, text, [start - before.length + before.lastIndexOf(mark) - 1])[0] === 'code';
}

/** After the name of a variable or parameter, an arrow, a generic type, or a function that takes types. */
const typeBefore =
  /(?:(?:^|[\s(,*])\w+\s*:\s*|->\s*|\b(?:type|list|dict|set|tuple|[A-Z]\w*[a-z]\w*)\[|\bcast\(\s*|\bbound\s*=\s*)(?:[\w.[\], |]|"[\w.[\], |]*"|'[\w.[\], |]*')*(["'])[\w.[\], |]*$/;
const typeAfter = /^[\w.[\], |]*(["'])/;

/**
 * True if a text of Python has a name in a string that is a type only to those who have checked it: that of a `cast`, of what
 * bounds a type variable, or of a generic type in a value, as in `Handler = Callable[["Name"], None]`. Where it is in very many
 * strings, one of them may be.
 */
export function isCast(text: string, name: string): boolean {
  const ahead = (offset: number) => text.slice(Math.max(0, offset - limits.mentions.ahead), offset);
  const quoted = occurrences(text, name).filter((offset) => inString.test(ahead(offset)));
  if (quoted.length > limits.mentions.quoted) return true;
  return quoted.some((offset) => inCast.test(ahead(offset)) || isInGenericValue(text, offset));
}

const inString = /["'][\w.[\], |]*$/;
const inCast =
  /(?:\bcast\(\s*|\bbound\s*=\s*|\b(?:TypeVar|NewType)\(\s*["']\w+["']\s*,(?:[^()]*,)?\s*)(["'])[\w.[\], |]*$/;

/** In an annotation, the first reading of a file takes it for a type. */
function isInGenericValue(text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - limits.mentions.statement), offset).replace(inString, '');
  return isSubscriptOfValue(lastStatement(before).replace(textsAndComments, (one) => ' '.repeat(one.length)));
}

const textsAndComments = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#[^\n]*/g;

/** Returns a text from the last line on that begins a statement at the margin: from there on all brackets are known. */
function lastStatement(text: string): string {
  let start = text.lastIndexOf('\n');
  while (start > 0 && !/[\w@]/.test(text[start + 1] ?? '')) start = text.lastIndexOf('\n', start - 1);
  return text.slice(start + 1);
}

/** What is open at a place of a statement: a bracket, and whether a type is expected in it. */
interface Opened {
  readonly bracket: string;
  readonly isSubscript: boolean;
  readonly hasParameters: boolean;
  isAnnotation: boolean;
}

/** True if the end of a text is in the brackets of a value: `Name[`, which no annotation has around it. */
function isSubscriptOfValue(code: string): boolean {
  const open: Opened[] = [{ bracket: '', isSubscript: false, hasParameters: false, isAnnotation: false }];
  for (const { 0: sign, index } of code.matchAll(/[()[\]{}:=,;\n]|->/g)) {
    const inner = open.at(-1);
    if (!inner) return false;
    if (/[([{]/.test(sign)) open.push(openedBy(sign, code.slice(0, index), inner.isAnnotation));
    else if (/[)\]}]/.test(sign)) open.splice(Math.max(1, open.length - 1));
    else inner.isAnnotation = isAnnotationAfter(sign, code.slice(0, index), inner);
  }
  return open.some(({ isSubscript }) => isSubscript) && open.at(-1)?.isAnnotation === false;
}

function isAnnotationAfter(
  sign: string,
  before: string,
  { bracket, hasParameters, isAnnotation }: Opened,
): boolean {
  if (sign === '->') return true;
  if (sign === ':' && bracket === '') return !isAnnotation && !beginsBlock.test(lastLine(before));
  if (sign === ':') return isAnnotation || (hasParameters && !/\blambda\b[^,]*$/.test(before));
  return isAnnotation && (bracket === '[' || (sign === '\n' && bracket !== ''));
}

function openedBy(bracket: string, before: string, isAnnotation: boolean): Opened {
  return {
    bracket,
    isSubscript: bracket === '[' && /[\p{ID_Continue})\]]$/u.test(before),
    hasParameters: bracket === '(' && /\bdef\s+\w+\s*(?:\[[^\]]*\]\s*)?$/.test(before),
    isAnnotation,
  };
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1);
}

const beginsBlock =
  /^\s*(?:async\s+)?(?:class|def|if|elif|else|for|while|with|try|except|finally|match|case)\b|\blambda\b/;

/**
 * Returns the import of Python that alone binds a name in a text, for servers that do not lead from a use to an import
 * which they cannot resolve. `undefined` if there is none, or something else may bind the name too.
 */
export function onlyImportOf(file: string, text: string, name: string): ModuleLink | undefined {
  if (!isPython(file) || everything.test(text)) return undefined;
  const links = pythonLinks(text);
  const [link, ...others] = links.filter(({ local }) => local?.name === name);
  if (!link || others.some((one) => one.module !== link.module || one.name !== link.name)) return undefined;
  const [first = ''] = name.split('.');
  const offsets = occurrences(text, first);
  const kinds = lexicalAt(file, text, offsets);
  const isBound = offsets.some(
    (at, index) => kinds[index] === 'code' && !links.some((one) => isLinkAt(one, at)) && mayBind(text, at),
  );
  return isBound ? undefined : link;
}

const everything = /^[ \t]*from[ \t]+[\w.]+[ \t]+import[ \t]*\*/m;

/** True if a word may be given a value here: rather too often than too rarely. */
function mayBind(text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - limits.mentions.statement), offset);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const end = text.indexOf('\n', offset);
  const rest = text.slice(offset, end < 0 ? undefined : end);
  if (line.endsWith('.')) return false;
  if (keyword.test(line) || parameter.test(before)) return true;
  return /^\w+\s*:=/.test(rest) || (/^[\s\w*,()[\]]*$/.test(line) && assigned.test(rest));
}

/** Before a name that a statement binds. */
const keyword =
  /(?:\b(?:def|class|as|global|nonlocal|del|import)\s+|\bcase\b[^:]*|\blambda\b[^:]*|\bfor\b(?:(?!\bin\b).)*)$/;
/** After a comma or the bracket, not in the annotation or the default of a parameter. */
const parameter = /\bdef\s+\w+\s*(?:\[[^\]]*\]\s*)?\((?:[^)]*,)?\s*\*{0,2}\s*$/;
/** A name, or the first of several, that gets a value. */
const assigned = /^\w+\s*(?:,[^=]*)?(?::[^=]*)?(?:[-+*/%&|^@]|\*\*|\/\/|<<|>>)?=(?!=)/;

/** Where a word stands. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}
