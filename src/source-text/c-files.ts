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
