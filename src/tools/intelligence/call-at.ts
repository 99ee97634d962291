import type { Position } from '../../core/positions.ts';
import { touches, wordsOf } from '../../source-text/words.ts';
import type { Document } from '../../workspace/texts/document.ts';

/** The call whose name covers a place: the name, and the place behind the parenthesis that opens its arguments. */
export function callAt(
  document: Document,
  { line, character }: Position,
): { readonly name: string; readonly inside: Position } | undefined {
  const text = document.line(line);
  const word = wordsOf(text).find((one) => touches(one, character));
  if (word === undefined) return undefined;
  const end = word.start + word.text.length;
  const open = opening(text.slice(end));
  return open === undefined ? undefined : { name: word.text, inside: { line, character: end + open } };
}

/** How far behind a name its arguments begin: after `(`, `?.(`, `!(`, `<T>(` or `::<T>(`. */
function opening(rest: string): number | undefined {
  const before = /^(?:\?\.|!|::)?\s*/.exec(rest)?.[0].length ?? 0;
  const from = rest[before] === '<' ? closing(rest, before) : before;
  if (from === undefined) return undefined;
  const paren = /^\s*\(/.exec(rest.slice(from));
  return paren ? from + paren[0].length : undefined;
}

/** Behind the `>` that closes the `<` at `from`; an arrow closes nothing. */
function closing(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '<') depth += 1;
    if (text[at] === '>' && text[at - 1] !== '=' && text[at - 1] !== '-') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return undefined;
}
