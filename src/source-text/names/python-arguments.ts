import { limits } from '../../core/limits.ts';
import { closing, enclosing } from '../brackets.ts';
import { isPython } from '../imports.ts';
import { occurrences, patternOf } from '../words.ts';

/**
 * Returns the names under which a function of Python is called that begins at an offset and has a parameter of a name: its
 * own, or that of its class. `undefined` if it has no such parameter.
 */
export function calleesOf(text: string, from: number, parameter: string): readonly string[] | undefined {
  const rest = text.slice(from, from + limits.mentions.statement);
  const [head, own = ''] =
    /^(?:[ \t]*@[^\n]*\n){0,30}[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)[^(\n]*\(/.exec(rest) ?? [];
  if (head === undefined) return undefined;
  const parameters = rest.slice(head.length, head.length + (closing(rest.slice(head.length)) ?? 0));
  if (!new RegExp(`(?:^|,)\\s*${patternOf(parameter)}\\s*(?:[:=,]|$)`).test(parameters)) return undefined;
  const isMaker = own === '__init__' || own === '__new__';
  const [, name = own] = (isMaker && /.*(?:^|\n)[ \t]*class[ \t]+(\w+)/s.exec(text.slice(0, from))) || [];
  return isMaker ? [name, 'cls', 'super', '__class__', own] : [own];
}

/** True if a string is a key of what a call unpacks: `size` in `draw(**{"size": 1})`. */
export function isUnpackedKey(
  file: string,
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): boolean {
  if (!isPython(file) || !/^["']\s*:/.test(text.slice(end, end + limits.mentions.ahead))) return false;
  return /\*\*\s{0,9}\{[^{}]*["']$/.test(text.slice(Math.max(0, start - limits.mentions.ahead), start));
}

/** True if a keyword at an offset is given in a call of one of the callees, or together with one, or to what passes it on. */
export function mayReach(
  text: string,
  offset: number,
  callees: readonly string[],
  passesOn: (callee: string) => boolean,
): boolean {
  const from = Math.max(0, offset - limits.mentions.statement);
  let before = text.slice(from, offset);
  for (let open = enclosing(before); open !== undefined; open = enclosing(before)) {
    const given = before.slice(open);
    before = before.slice(0, open);
    const callee = /(\w+)\s*$/.exec(before.slice(-limits.mentions.ahead))?.[1] ?? '';
    if (callees.includes(callee) || passesOn(callee)) return true;
    if (callees.some((name) => occurrences(given, name).length > 0)) return true;
  }
  return false;
}

/** True if a text defines a function of a name that takes any keywords: `def make(**options)`. */
export function takesAny(text: string, name: string): boolean {
  if (name === '') return false;
  const definition = new RegExp(`\\bdef[ \\t]+${patternOf(name)}[ \\t]*\\(`, 'g');
  const found = [...text.matchAll(definition)];
  if (found.length > limits.mentions.relatives) return true;
  return found.some(({ index, 0: head }) => {
    const rest = text.slice(index + head.length, index + head.length + limits.mentions.statement);
    return /(?:^|,)\s*\*\*\s*\w/.test(rest.slice(0, closing(rest) ?? 0));
  });
}
