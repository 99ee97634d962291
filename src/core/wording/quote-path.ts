/** Shows a path that somebody else chose in a message of ours: one line, nothing invisible, not too long. */
export function quotePath(given: string): string {
  const cut = given.length > longest ? `${given.slice(0, longest)}…` : given;
  return `"${cut.replace(unprintable, visible)}"`;
}

const longest = 200;

// Controls, format characters (bidirectional, zero-width, tags), lone surrogates, line separators, and our own quote.
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}"]/gu;

function visible(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
