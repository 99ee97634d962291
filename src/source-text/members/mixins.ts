import { limits } from '../../core/limits.ts';
import { closing, codeOnly, enclosing, outermost } from '../brackets.ts';
import { occurrences, wordsOf } from '../words.ts';

/**
 * Returns the name of the function of a script that has a parameter at an offset, such as `Loud` for `B` in
 * `const Loud = <B extends Made>(B: B) => class extends B {}`. `undefined` if it is no parameter, and no name if the
 * function has none.
 */
export function mixinWithParameter(text: string, offset: number): { readonly name?: string } | undefined {
  const before = codeOnly(text.slice(Math.max(0, offset - limits.mentions.statement), offset));
  const after = text.slice(offset, offset + limits.mentions.ahead);
  const isAlone = /^[\p{ID_Continue}$]+\s*=>/u.test(after);
  const open = isAlone ? before.length : enclosing(before);
  if (open === undefined || (!isAlone && !(before[open] === '(' && isParameter.test(after))))
    return undefined;
  const header = outermost(before.slice(0, open).replaceAll('=>', '  ')).trimEnd();
  const [, name] = named.exec(header) ?? [];
  return name === undefined || name === 'function' ? {} : { name };
}

const isParameter = /^[\p{ID_Continue}$]+\s*[:,)=?]/u;

/** The end of what precedes the parameters of a function with a name. */
const named =
  /([\p{ID_Start}$_][\p{ID_Continue}$]*)(?:\s*(?::[^=;]*)?=\s*(?:async\s*)?(?:function\b\s*[\p{ID_Continue}$]*)?)?$/u;

/**
 * Returns the offsets of names that are passed in the calls of a function, or on the lines that mention it: those of `Base`
 * in `Quiet(Loud(Base))` and in `compose(Quiet, Loud)(Base)`.
 */
export function namesPassedWith(text: string, name: string): readonly number[] {
  const code = codeOnly(text);
  const found = new Set<number>();
  for (const use of occurrences(code, name)) {
    const start = code.lastIndexOf('\n', use) + 1;
    const rest = code.slice(use, use + limits.mentions.statement);
    const open = /^[\p{ID_Continue}$]+\s*(?:<[^()]*>)?\(/u.exec(rest)?.[0].length;
    const close = open === undefined ? 0 : (closing(rest.slice(open)) ?? 0) + open;
    const line = rest.indexOf('\n', close);
    const part = code.slice(start, line < 0 ? use + rest.length : use + line);
    for (const { start: at, text: word } of wordsOf(part))
      if (word !== name && /[(,]\s*$/.test(part.slice(0, at))) found.add(start + at);
  }
  return [...found];
}
