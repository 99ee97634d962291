import { limits } from '../core/limits.ts';
import { isFree, isPython } from './imports.ts';
import { lexicalAt } from './lexical.ts';
import { isLinkAt, type ModuleLink, pythonLinks } from './module-links.ts';
import { occurrences } from './words.ts';

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
 * bounds a type variable, or of a generic type in a value, as in `Handler = Callable[["Name"], None]`.
 */
export function isCast(text: string, name: string): boolean {
  return occurrences(text, name).some(
    (offset) =>
      inCast.test(text.slice(Math.max(0, offset - limits.mentions.ahead), offset)) ||
      isInGenericValue(text, offset),
  );
}

const inCast =
  /(?:\bcast\(\s*|\bbound\s*=\s*|\b(?:TypeVar|NewType)\(\s*["']\w+["']\s*,(?:[^()]*,)?\s*)(["'])[\w.[\], |]*$/;

/** Behind a colon or an arrow it would be an annotation, which the first reading of a file understands. */
function isInGenericValue(text: string, offset: number): boolean {
  if (!inString.test(text.slice(Math.max(0, offset - limits.mentions.ahead), offset))) return false;
  const [value = ''] =
    /[=(][^=(:>{;#]*$/.exec(text.slice(Math.max(0, offset - limits.mentions.statement), offset)) ?? [];
  return generic.test(value);
}

const inString = /["'][\w.[\], |]*$/;
const generic = /\b(?:type|list|dict|set|tuple|[A-Z]\w*[a-z]\w*)\[/;

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
