import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Position } from '../../core/position.ts';
import type { OutlineSymbol } from '../../core/question.ts';
import { lexicalAt } from '../../source-text/lexical.ts';
import type { Document } from '../../workspace/texts/document.ts';

/** The comma after a member of an object literal, an enumeration and the like, or where it would have to be. */
export interface Separator {
  readonly at: Position;
  readonly isThere: boolean;
}

/** Returns the comma of a symbol, if it is in a list that is separated by commas. */
export function separatorOf(
  document: Document,
  symbol: OutlineSymbol,
  siblings: readonly OutlineSymbol[],
): Separator | undefined {
  const { end: at } = symbol.range;
  if (hasComma(document, symbol)) return { at, isThere: true };
  // For some symbols, servers give only the range of the name.
  const isWhole = /^\s*(?:;|\/[/*]|$)/.test(document.line(at.line).slice(at.character));
  if (!members.has(symbol.kind) || !isWhole) return undefined;
  const isListed =
    siblings.some((one) => members.has(one.kind) && hasComma(document, one)) || isLone(document, symbol);
  return isListed ? { at, isThere: false } : undefined;
}

/** Adds a comma after the last code of some lines, if they do not have one. */
export function withComma(file: string, lines: readonly string[]): string[] {
  const text = lines.join('\n');
  const marks = [...text.matchAll(/\S/g)].map(({ index }) => index);
  const kinds = lexicalAt(file, text, marks);
  const last = marks.findLast((_, index) => kinds[index] !== 'comment');
  if (last === undefined || text[last] === ',') return [...lines];
  return `${text.slice(0, last + 1)},${text.slice(last + 1)}`.split('\n');
}

/** Returns the text from the end of a member to the end of its line, with the comma that a following member needs. */
export function commaBefore(document: Document, { at, isThere }: Separator): string {
  const rest = document.line(at.line).slice(at.character);
  if (isThere) return rest;
  if (/^\s*;/.test(rest)) {
    throw new LspanError('refused', 'The last member ends with `;`, not with a comma; nothing was changed.', {
      nextStep: 'Insert before it, or change it by its text with apply_workspace_edit.',
    });
  }
  return `,${rest}`;
}

function hasComma(document: Document, { range: { end } }: OutlineSymbol): boolean {
  const line = document.line(end.line);
  return line[end.character - 1] === ',' || /^\s*,/.test(line.slice(end.character));
}

/** Kinds of symbols that may be in a list of members. */
const members: ReadonlySet<string> = new Set(['property', 'method', 'field', 'enum_member', 'key']);

/** Returns whether a member without siblings is in a literal and not a class, by the code before the bracket. */
function isLone(document: Document, { kind, range: { start } }: OutlineSymbol): boolean {
  if (!/\.[cm]?[jt]sx?$/.test(document.path)) return false;
  if (kind === 'enum_member') return true;
  const own = document.line(start.line).slice(0, start.character);
  const above = Array.from({ length: Math.min(limits.editSymbol.separatorLines, start.line) }, (_, index) =>
    document.line(start.line - index - 1),
  ).reverse();
  return /(?:[=(:,[?]|=>|\breturn|\bdefault)\s*\{\s*$/.test([...above, own].join('\n'));
}
