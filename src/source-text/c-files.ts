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
 * compiled: a member is accessed, and others are not; an argument of a macro may be joined to another word.
 */
export function mayBeMeant(line: string, { start, end, isMember }: GuessedWord): boolean {
  const before = line.slice(0, start);
  if (access.test(before) !== isMember) return false;
  return !(insideMacro.test(before) && /^\s*[,)]/.test(line.slice(end)));
}

/** A word in a line, and whether what it is taken for is a member. */
interface GuessedWord {
  readonly start: number;
  readonly end: number;
  readonly isMember: boolean;
}

/** True if a word is accessed as a member. */
export function isAccessed(line: string, start: number): boolean {
  return access.test(line.slice(0, start));
}

const access = /(?:\.|->|::)\s*$/;
/** Precedes an argument of what is written like a macro. */
const insideMacro = /\b[A-Z_][A-Z0-9_]*\s*\((?:[^()]*,)?\s*$/;
