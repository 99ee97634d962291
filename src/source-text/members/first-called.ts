import { limits } from '../../core/limits.ts';
import { enclosing } from '../brackets.ts';

/**
 * Returns the offset of the name that is called first in the calls of which the word at an offset is a member: that of
 * `string` in `z.string().min(1).optional`. `undefined` if it is a member of something else.
 */
export function firstCalled(text: string, member: number): number | undefined {
  const from = Math.max(0, member - limits.mentions.statement);
  let before = text.slice(from, member);
  let called: number | undefined;
  for (;;) {
    const dot = /\s*[?!]?\s*\.\s*$/.exec(before);
    if (!dot) return called;
    before = before.slice(0, dot.index);
    if (!before.endsWith(')')) return called;
    const open = enclosing(before.slice(0, -1));
    const name = open === undefined ? null : calledName.exec(before.slice(0, open));
    if (!name) return undefined;
    called = from + name.index;
    before = before.slice(0, name.index);
  }
}

const calledName =
  /(?<![\p{ID_Continue}$])(?:(?<=\.\s*)|(?!(?:if|while|for|switch|catch|await|return|typeof)\b))[\p{ID_Start}$_][\p{ID_Continue}$]*(?=\s*(?:<[^()]*>)?\s*$)/u;

/**
 * Returns the offset of the name that is called first to make the value of the variable whose name is at an offset: that of
 * `string` in `one = z.string().min(1)`. `undefined` if it is made in another way.
 */
export function calledFor(text: string, variable: number): number | undefined {
  const after = text.slice(variable, variable + limits.mentions.ahead);
  const value = assigned.exec(after)?.[0];
  const name = value === undefined ? null : /[\p{ID_Continue}$]+(?=\s*(?:<[^()]*>)?\s*\($)/u.exec(value);
  return name ? variable + name.index : undefined;
}

const assigned =
  /^[\p{ID_Continue}$]+\s*(?::[^=;(){}]*)?=(?![=>])\s*(?:new\s+)?(?:[\p{ID_Continue}$]+\s*\.\s*)*(?!(?:async|await|function|import|require)\b)[\p{ID_Continue}$]+\s*(?:<[^()]*>)?\s*\(/u;

/** True if the name of a function says that it may give a module as a value. */
export function isNameOfLoader(text: string, name: number): boolean {
  const [word = ''] = /^[\p{ID_Continue}$]+/u.exec(text.slice(name, name + limits.mentions.ahead)) ?? [];
  return /import|require|load|module/i.test(word);
}

/** True if the function that is declared at an offset may give a module as a value. */
export function mayGiveModule(text: string, name: number): boolean {
  const begin = text.slice(name, name + limits.mentions.attribute);
  return isNameOfLoader(text, name) || /\b(?:require|import)\s*\(/.test(begin);
}
