import { limits } from '../../core/limits.ts';
import { codeOnly, enclosing, outermost } from '../brackets.ts';
import { namesOfValue } from '../hidden-callees.ts';
import { isReserved } from '../reserved-words.ts';
import { patternOf, type Word } from '../words.ts';

/** The names in the value that a name of a script is declared with. */
export interface HeldValues {
  /** Those whose values it has: `run` in `const go = run`. */
  readonly held: readonly number[];
  /** Those that something else gets, and may return: `run` in `const go = memo(run)`. */
  readonly given: readonly number[];
}

/** Returns offsets of the names in the value of the name at an offset, which is declared or assigned there. */
export function heldValues(file: string, text: string, offset: number): HeldValues {
  const begin = Math.max(0, offset - limits.mentions.statement);
  const before = codeOnly(text.slice(begin, offset));
  const [name = ''] = /^[\p{ID_Continue}$]+/u.exec(text.slice(offset, offset + limits.mentions.quoted)) ?? [];
  const after = offset + name.length;
  const rest = codeOnly(text.slice(after, after + limits.mentions.statement));
  const at = declaring.test(before) ? valueAt(before, rest) : undefined;
  if (name === '' || at === undefined) return none;
  const value = rest.slice(at.start, at.end);
  const held = namesOfValue(file, value);
  const given = held.length > 0 ? [] : namesGiven(file, value);
  const placed = (one: number): number => after + at.start + one;
  return { held: held.map(placed), given: given.map(placed) };
}

const none: HeldValues = { held: [], given: [] };

/** Precedes a name that is declared or assigned. */
const declaring =
  /(?:(?<![\p{ID_Continue}$])(?:const|let|var|static|readonly|private|protected|public|override|else)\s+|[,(){;[.#}]\s*|\n\s*|^\s*)$/u;

/** Returns where in the text behind a name its value is. */
function valueAt(before: string, rest: string): { readonly start: number; readonly end: number } | undefined {
  const flat = outermost(rest.replaceAll('=>', '  '));
  const [assigned] = assignment.exec(flat) ?? [];
  const [opened] = isProperty(before) ? (/^\s*:/.exec(flat) ?? []) : [];
  const sign = (assigned ?? opened)?.length;
  if (sign === undefined) return undefined;
  const start = rest.length - rest.slice(sign).trimStart().length;
  const length = flat.slice(start).search(endsValue);
  return { start, end: length < 0 ? flat.length : start + length };
}

/** What is between a name and its value. */
const assignment = /^(?:[!?]?\s*:[^=;,)}\]\n]*)?\s*=(?![=>])/;

const endsValue = /[,;)}\]]|(?<![=?:|&]\s*)\n(?!\s*[?:|&.])/;

function isProperty(before: string): boolean {
  if (!/[{,]\s*$/.test(before)) return false;
  const open = enclosing(before);
  return open !== undefined && before[open] === '{';
}

/** Returns the names in a value that are passed to a call in it, or a member of which is called. */
function namesGiven(file: string, value: string): readonly number[] {
  if (!value.includes('(') || /=>|\b(?:function|class)\b/.test(value)) return [];
  return [...value.matchAll(passedName)]
    .filter(([, name = '']) => !isReserved(file, name))
    .map(({ index }) => index);
}

const passedName =
  /(?<![\p{ID_Continue}$.'"`]\s{0,20})([\p{ID_Start}$_][\p{ID_Continue}$]*)(?=\s*[,)\]}]|\.bind\()/gu;

/**
 * Returns the name that is declared or assigned with the name at an offset of a script as its value: `go` in
 * `const go = run` for `run`.
 */
export function nameHolding(file: string, text: string, offset: number): Word | undefined {
  const near = limits.mentions.quoted;
  if (!followsValue.test(text.slice(offset, offset + near))) return undefined;
  if (!precedesValue.test(text.slice(Math.max(0, offset - near), offset))) return undefined;
  const before = codeOnly(text.slice(Math.max(0, offset - limits.mentions.statement), offset));
  const statement = before.slice(before.lastIndexOf(';') + 1);
  const from = offset - statement.length;
  return [...statement.matchAll(names)]
    .map(({ index, 0: name }) => ({ start: from + index, text: name }))
    .filter(({ text: name }) => !isReserved(file, name))
    .find(({ start }) => heldValues(file, text, start).held.includes(offset));
}

const precedesValue = /(?:[=?:(]|&&|\|\|)\s*(?:await\s+)?(?:[\p{ID_Continue}$]+!?\s*\??\.\s*)*$/u;

const followsValue = /^[\p{ID_Continue}$]+!*\s*(?:[,;:)}\]?\n]|\|\||&&|as\b|satisfies\b|$)/u;

const names = /(?<![\p{ID_Continue}$])[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;

/** Returns the offsets where a name of a script gets another value, unless it is constant. */
export function assignmentsOf(text: string, { start, text: name }: Word): readonly number[] {
  if (/(?<![\p{ID_Continue}$])const\s+$/u.test(text.slice(Math.max(0, start - 20), start))) return [];
  const pattern = new RegExp(`(?<![\\p{ID_Continue}$])${patternOf(name)}\\s*=(?![=>])`, 'gu');
  return [...codeOnly(text).matchAll(pattern)].map(({ index }) => index).filter((at) => at !== start);
}
