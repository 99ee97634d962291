import { limits } from '../../core/limits.ts';
import { isPython } from '../imports.ts';
import type { Word } from '../words.ts';

/** Returns the names of the bases in the header of a class of Python, given the offset where the name of the class ends. */
export function pythonBasesAfter(text: string, from: number): readonly Word[] {
  const bases: Word[] = [];
  for (const { tokens, end } of argumentsAfter(text, from)) {
    const [first = ''] = tokens;
    // What has a value is an argument: `total=False`.
    if (!/^[\w.]+$/.test(first) || tokens[1] === '=') continue;
    // The last one of `typing.TypedDict` is the class.
    const name = first.slice(first.lastIndexOf('.') + 1);
    bases.push({ text: name, start: end - name.length });
  }
  return bases;
}

/** Returns the expressions of the bases in the header of a class of Python, given the offset where its name ends. */
export function baseExpressionsAfter(text: string, from: number): readonly Word[] {
  return argumentsAfter(text, from).flatMap(({ tokens, start, last }) =>
    tokens.length === 0 || tokens[0] === '*' || tokens[1] === '='
      ? []
      : [{ text: text.slice(start, last), start }],
  );
}

/** One of the expressions between the brackets of a header: its tokens outside of inner brackets, and where they stand. */
interface Argument {
  readonly tokens: string[];
  start: number;
  /** Where the first token ends. */
  end: number;
  /** Where the last token ends. */
  last: number;
}

function argumentsAfter(text: string, from: number): readonly Argument[] {
  const header = text.slice(from, from + limits.mentions.statement);
  const found: Argument[] = [];
  let depth = 0;
  for (const { 0: token, index } of header.matchAll(tokens)) {
    if (/^[)\]}]/.test(token)) depth -= 1;
    // Before the bases there may be parameters of the type: `class Box[T](Base)`.
    if (depth <= 0 && !/^[([\]#]/.test(token)) break;
    const isNext = depth === 0 ? token === '(' : depth === 1 && token === ',' && found.length > 0;
    if (isNext) found.push({ tokens: [], start: from, end: from, last: from });
    else if (depth === 1) addTo(found.at(-1), token, from + index + token.length);
    if (/^[([{]/.test(token)) depth += 1;
  }
  return found;
}

function addTo(argument: Argument | undefined, token: string, end: number): void {
  if (!argument || token.startsWith('#')) return;
  if (argument.tokens.length === 0) [argument.start, argument.end] = [end - token.length, end];
  argument.last = end;
  argument.tokens.push(token);
}

const tokens = /#[^\n]*|[\w.]+|[^\s\w.]/g;

/** True if the word at an offset of Python is declared as a field: `title: str`, alone at the beginning of its line. */
export function isPythonField(file: string, text: string, { start, end }: Stretch): boolean {
  if (!isPython(file)) return false;
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  return /^[ \t]+$/.test(line) && /^[ \t]*:(?!=)/.test(text.slice(end, end + limits.mentions.ahead));
}

/** True if a word is a whole string of Python, which may be the key of a mapping. */
export function mayBeKey(file: string, text: string, { start, end }: Stretch): boolean {
  const quote = text[start - 1] ?? '';
  return isPython(file) && /["']/.test(quote) && text[end] === quote;
}

/** Where a word stands. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}
