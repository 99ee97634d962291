import { limits } from '../core/limits.ts';
import type { Word } from './words.ts';

/**
 * True if a word of a line is a keyword there, as far as the text shows it in any of the usual languages. A keyword of
 * one language is a name in another, so its neighbours decide: a name is not followed by another word.
 */
export function isKeyword(line: string, { start, text }: Word): boolean {
  if (!(declaring.has(text) || others.has(text) || statements.has(text))) return false;
  if (memberOf.test(line.slice(Math.max(0, start - 2), start))) return false;
  const rest = line.slice(start + text.length);
  return statements.has(text) ? !assigned.test(rest) : followedByOperand.test(rest);
}

/**
 * True if a word of a file of TypeScript, JavaScript or Python cannot be a name where it stands: `of` in a loop, `type` in
 * an import. The text alone proves it, so whatever may be a name is one.
 */
export function isContextualKeyword(file: string, line: string, { start, text }: Word): boolean {
  const [before, after] = [line.slice(0, start), line.slice(start + text.length)];
  if (typeWords.has(text)) return isTypeByItself(file, before, after);
  if (/\.pyi?$/.test(file)) return softWords.has(text) && before.trim() === '' && softOperand.test(after);
  if (!contextual.has(text) || !scripts.test(file)) return false;
  if (accessed.test(before)) return false;
  if (text === 'of') return loop.test(before);
  if (text === 'from' || text === 'module') return /^\s*["']/.test(after);
  if (text === 'catch') return /^\s*\}\s*$/.test(before);
  if (text === 'finally') return /^\s*\{/.test(after);
  if (text === 'type' && /\b(?:import|export)\s+$/.test(before))
    return /^\s*[{*]|^\s+(?!from\b)\p{ID_Start}/u.test(after);
  const next = /^\s+([\p{ID_Start}$_][\p{ID_Continue}$]*)/u.exec(after)?.[1];
  return next !== undefined && !joining.has(next) && !mayBeAttribute(file, { before, text, after });
}

/** True if a word may stand in a tag, where names follow each other: `<Row static wide />`. */
function mayBeAttribute(file: string, word: Readonly<Record<'before' | 'text' | 'after', string>>): boolean {
  if (!/\.(?:[jt]sx|[cm]?js)$/.test(file)) return false;
  const before = withoutValues(word.before);
  if (openTag.test(before)) return true;
  const isAfterOthers = before.trim() === '' || /=\s*$|=\s+(?:[\p{ID_Continue}$-]+\s*=?\s+)*$/u.test(before);
  return word.text !== 'type' && isAfterOthers && attributes.test(word.after);
}

/**
 * True if the word at an offset of a file of TypeScript is one of the types that have a keyword: `object` in
 * `source: object`. A server knows no definition of it, nor of a variable that is declared nowhere.
 */
export function isTypeKeyword(file: string, text: string, { start, text: word }: Word): boolean {
  if (!typeWords.has(word) || !typed.test(file)) return false;
  const before = text.slice(Math.max(0, start - limits.mentions.ahead), start);
  const after = text.slice(start + word.length, start + word.length + limits.mentions.ahead);
  if (/[<,]\s*$/.test(before) && /^\s*>(?![=>])/.test(after)) return true;
  return (beforeType.test(before) || inTuple.test(before)) && !/^\s*[(.<]/.test(after);
}

/**
 * True if a line of TypeScript shows that a word with such a type is no value: no type can be declared under it. `x: string`
 * alone may be a property or the end of a condition.
 */
function isTypeByItself(file: string, before: string, after: string): boolean {
  // The name before a dot is a namespace, and `typeof` takes a value.
  if (!typed.test(file) || /^\s*\??\./.test(after) || /\btypeof\s+$/.test(before)) return false;
  if (/\)\s*:\s*$/.test(before)) return /^(?:\[\])*\s*(?:\{|=>)/.test(after);
  if (/\bas\s+$/.test(before)) return /^(?:\[\])*[;)]/.test(after);
  if (/\bRecord<$/.test(before)) return true;
  if (/[\p{ID_Continue}$]<$/u.test(before)) return /^(?:\[\])*>(?:[(`,;)]|\s*$|\s+=\s)/.test(after);
  if (annotatedMember.test(before)) return ofTypes.test(after);
  return (
    /\(\s*(?:\.{3})?[\p{ID_Start}$_][\p{ID_Continue}$]*\??:\s*$/u.test(before) ||
    (!accessed.test(before) && /^\[\]/.test(after))
  );
}

/** Leaves out the values of attributes, which may have any text in them. */
function withoutValues(line: string): string {
  let [before, after] = ['', line.replaceAll(/"[^"]*"|'[^']*'/g, '')];
  while (before !== after) [before, after] = [after, after.replaceAll(/\{[^{}]*\}/g, '')];
  return after;
}

/** True if a keyword precedes the name in a declaration. */
export function isDeclaring(text: string): boolean {
  return declaring.has(text);
}

/** True if a column of a line is in a comment, as far as the line alone shows it. */
export function isCommented(line: string, column: number): boolean {
  return commentLine.test(line) || /(^|\s)(\/\/|# |--\s)/.test(line.slice(0, column));
}

/** True if a column of a line is between quotes. */
export function isQuoted(line: string, column: number): boolean {
  return [...line.matchAll(quoted)].some(
    ({ index, 0: text }) => index < column && column < index + text.length,
  );
}

const quoted = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;
/** The dots before the rest of a tuple are no access. */
const accessed = /(?:(?<!\.\.)\.|#)$/;
/** What precedes a type; a member follows a dot, a brace or a comma, and its key is no type. */
const beforeType =
  /(?:[:|&?=(<[]|=>|<[^<>(){};]*,|>\s*,|\b(?:as|extends|infer|is|keyof|readonly|satisfies|unique))\s*$/;
/** A list of types after a colon, an angle or `as`: the second type of `a: [string, string]`. */
const inTuple = /(?::|<|\bas|\bextends|\breadonly)\s*\[[^()[\]{};=]*,\s*$/;
const memberOf = /(\.|::|->)$/;
const assigned = /^\s*([=.,)\]]|=>)/;
const followedByOperand = /^\s+[\p{ID_Start}\p{N}$_"'`{[(*&#@<]/u;
const commentLine =
  /^\s*(\/\/|\/\*|\*|#(?!\s*(?:include|define|if|el|end|undef|pragma|\[|!))|<!--|--\s|"""|''')/;

/** The begin of a loop, up to the word after the variable or its pattern. */
const loop =
  /\bfor\s*(?:await\s*)?\(\s*(?:(?:const|let|var|using)\s+)?(?:(?!(?:const|let|var|using)\b)[\p{ID_Continue}$.]+|[[{][^;()]*[\]}])\s+$/u;
/** A tag that a line does not close. */
const openTag = /<[\p{ID_Start}$_][\p{ID_Continue}$.-]*(?:\s[^<>]*)?$/u;
/** What may follow an attribute on its line. */
const attributes = /^\s+[\p{ID_Start}$_][\p{ID_Continue}$-]*\s*(?:=\s*[{"']|\/?>|\s[\p{ID_Start}$_]|$)/u;
const typed = /\.[cm]?tsx?$/;
/** A member that no condition can end with, and its colon: it may be missing, or has a modifier. The rest of its type. */
const annotatedMember =
  /^\s*(?:(?:(?:abstract|declare|override|private|protected|public|readonly|static)\s+)+[\p{ID_Continue}$]+[?!]?|[\p{ID_Start}$_][\p{ID_Continue}$]*\?):\s+$/u;
const ofTypes = /^(?:\[\]|\s*\|\s*[\p{ID_Continue}$]+)*;/u;
const scripts = /\.[cm]?[jt]sx?$/;

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));

const declaring = words(
  'abstract async class const declare def enum export extern final fn fun func function impl inline interface let ' +
    'module namespace override private protected pub public readonly static struct trait type var virtual',
);

const others = words(
  'and as assert asserts await case default del delete elif extends from get global go import implements in infer ' +
    'instanceof is keyof lambda match mod mut new nonlocal not of or package raise satisfies set throw throws typeof ' +
    'unsafe use using val void where with yield',
);

/** These need no operand. */
const statements = words(
  'break catch continue do else except false False finally for goto if None null pass return switch true True try while',
);

const typeWords = words('any bigint boolean never number object string symbol undefined unknown void');

/** Names in TypeScript, some of them of members only, unless another name follows. */
const contextual = words(
  'abstract as asserts async await case catch class const declare delete enum export finally from function get import ' +
    'in infer instanceof interface is keyof let module namespace new of override private protected public readonly ' +
    'return satisfies set static throw type typeof unique var void yield',
);

/** Names in Python, unless a statement begins with them. */
const softWords = words('case match type');
const softOperand = /^\s+(?!(?:and|as|else|for|if|in|is|not|or)\b)[\p{ID_Start}\p{N}_"']/u;

/** What may follow a name: `type as string`, `static extends`. */
const joining = words('as extends from implements in instanceof is of satisfies');
