import { extname } from 'node:path';
import { type Lexical, lexicalAt } from '../lexical.ts';

/**
 * Returns which declarations of a file of TypeScript or JavaScript others see without an import: all of a script, or those
 * that a module gives to all or to another module (`declare global`, `declare module 'x'`); `undefined` if none.
 */
export function globalsOf(file: string, text: string): 'all' | 'declared' | undefined {
  const extension = extname(file);
  if (!script.test(extension)) return undefined;
  const isModule = alwaysModule.test(extension) || hasCode(file, text, ofModule);
  if (!isModule && !(ofJavaScript.test(extension) && hasCode(file, text, ofCommonJs))) return 'all';
  return hasCode(file, text, ambient) ? 'declared' : undefined;
}

const script = /^\.[cm]?[jt]sx?$/;
const ofJavaScript = /^\.c?jsx?$/;
const alwaysModule = /^\.m[jt]s$/;

/** An import or export that is not indented, since those of an ambient module are in a block. */
const ofModule = /^(?:import\b(?!\s{0,9}[(.])|export\b)/gm;
const ofCommonJs = /(?<![\w.])(?:module\.exports\b|exports\.\w|require\s{0,9}\()/g;
const ambient = /\bdeclare\s{1,9}(?:global\b|module\s{1,9}["'])/g;

function hasCode(file: string, text: string, pattern: RegExp): boolean {
  return kindsOf(file, text, pattern).includes('code');
}

function kindsOf(file: string, text: string, pattern: RegExp): readonly Lexical[] {
  const offsets = Array.from(text.matchAll(pattern), ({ index }) => index);
  return lexicalAt(file, text, offsets);
}

/** The specifier of an import, without its quotes. */
interface Specifier {
  readonly offset: number;
  readonly length: number;
}

/** Returns where a text imports a module of a name that an ambient declaration gives: `untyped`, or `*.css` for many. */
export function importsOfAmbient(file: string, text: string, declared: string): readonly Specifier[] {
  const [before = '', after] = declared.split('*');
  const isMeant = (given: string) =>
    after === undefined
      ? given === declared
      : given.length >= before.length + after.length && given.startsWith(before) && given.endsWith(after);
  const found = [...text.matchAll(imported)].flatMap(({ index, 0: whole, 2: given = '' }) =>
    isMeant(given) ? [{ offset: index + whole.length - 1 - given.length, length: given.length }] : [],
  );
  const kinds = lexicalAt(
    file,
    text,
    found.map(({ offset }) => offset),
  );
  return found.filter((_, index) => kinds[index] === 'string');
}

const imported = /\b(?:from|import|require)\s{0,9}(?:\(\s{0,9})?(["'])([^"'\n]{1,500})\1/g;
