import { limits } from '../limits.ts';

/** Shows a path that somebody else chose in a message of ours: one line, nothing invisible, not too long. */
export function quotePath(given: string): string {
  const cut = given.length > limits.quoted.path ? `${given.slice(0, limits.quoted.path)}…` : given;
  return `"${cut.replace(unprintable, visible)}"`;
}

// Controls, format characters (bidirectional, zero-width, tags), lone surrogates, line separators, and our own quote.
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}"]/gu;

function visible(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
