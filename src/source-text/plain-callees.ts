import { codeOnly } from './brackets.ts';
import { isReserved } from './reserved-words.ts';
import type { Word } from './words.ts';

/** Returns the names that a script calls as `run(3)`, `shop.run<T>(3)` or `new Shop(3)`. */
export function plainCallees(file: string, text: string): readonly Word[] {
  const code = codeOnly(text);
  const called = [...code.matchAll(call)].map(({ index, 1: name = '' }) => ({ start: index, text: name }));
  const made = [...code.matchAll(making)].map(({ index, 0: all, 1: name = '' }) => ({
    start: index + all.length - name.length,
    text: name,
  }));
  const byPlace = new Map([...called, ...made].map((word) => [word.start, word]));
  return [...byPlace.values()]
    .filter(({ start, text: name }) => isMemberAt(code, start) || !isReserved(file, name))
    .sort((a, b) => a.start - b.start);
}

const call =
  /(?<![\p{ID_Continue}$#])([\p{ID_Start}$_][\p{ID_Continue}$]*)(?:<[^<>(){};]{0,100}>)?(?:\?\.)?\(/gu;

const making =
  /(?<![\p{ID_Continue}$.])new\s{1,20}(?:[\p{ID_Continue}$]{1,100}\.){0,5}([\p{ID_Start}$_][\p{ID_Continue}$]*)/gu;

/** Words of the language are names of members too. */
function isMemberAt(code: string, start: number): boolean {
  return /\.\s{0,20}$/.test(code.slice(Math.max(0, start - 21), start));
}
