import { limits } from '../limits.ts';

/** Quotes an untrusted path for a message: one line, no invisible characters, not too long. */
export function quotePath(given: string): string {
  const cut = given.length > limits.quoted.path ? `${given.slice(0, limits.quoted.path)}…` : given;
  return `"${cut.replace(unprintable, visible)}"`;
}

// Controls, format characters (bidirectional, zero-width, tags), lone surrogates, line separators, the quote.
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}"]/gu;

function visible(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
