import { extname } from 'node:path';

/** True for a file of C, or of a language that grew from it. */
export function isC(file: string): boolean {
  return known.has(extname(file).slice(1).toLowerCase());
}

/**
 * True if several definitions of a name in a file may each be the one, or none: a server of C that does not know the type
 * before a member names all members that are called so.
 */
export function areCandidates(file: string, definitions: readonly unknown[]): boolean {
  return definitions.length > 1 && isC(file);
}

const known: ReadonlySet<string> = new Set(
  'c h cc cpp cxx c++ hh hpp hxx h++ ipp inl tpp cu cuh m mm'.split(' '),
);

/**
 * True if a word of C may mean what a server guesses by its spelling where it knows no symbol, as in code that is not
 * compiled. A member may be that of any type, and an argument of a macro may be joined to another word.
 */
export function mayBeGuessed(line: string, start: number, end: number): boolean {
  const before = line.slice(0, start);
  return !access.test(before) && !(insideMacro.test(before) && /^\s*[,)]/.test(line.slice(end)));
}

/** True if a word is accessed as a member. */
export function isAccessed(line: string, start: number): boolean {
  return access.test(line.slice(0, start));
}

const access = /(?:\.|->|::)\s*$/;
/** Precedes an argument of what is written like a macro. */
const insideMacro = /\b[A-Z_][A-Z0-9_]*\s*\((?:[^()]*,)?\s*$/;
