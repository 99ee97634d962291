import type { Place, Span } from '../../../core/question.ts';
import { isMember } from '../../../source-text/words.ts';
import type { ToolContext } from '../../run/tool.ts';
import { documentAt } from '../../show/document-at.ts';

interface KnownSymbol {
  readonly place: Place;
  readonly name: string;
  readonly references: readonly Span[];
}

/** True if a symbol of Python is never the name of an argument: a function, a class, or an attribute that a method sets. */
export async function isNoParameter(context: ToolContext, symbol: KnownSymbol): Promise<boolean> {
  return (await isFunctionOrClass(context, symbol)) || isSetAttribute(context, symbol);
}

async function isFunctionOrClass(
  context: ToolContext,
  { place: { path, position }, references }: KnownSymbol,
): Promise<boolean> {
  const places = [{ path, range: { start: position } }, ...references];
  for (const { path: file, range } of places) {
    const line = (await documentAt(context, file))?.line(range.start.line) ?? '';
    if (/^\s*(?:async\s+)?(?:def|class)\s+$/.test(line.slice(0, range.start.character))) return true;
  }
  return false;
}

/** True for `x` in `self.x = 1`, unless the class also declares it: the arguments of a dataclass are named so. */
async function isSetAttribute(
  context: ToolContext,
  { place: { path, position }, name, references }: KnownSymbol,
): Promise<boolean> {
  const line = (await documentAt(context, path))?.line(position.line) ?? '';
  const [before, after] = [line.slice(0, position.character), line.slice(position.character + name.length)];
  if (!/^\s*self\.$/.test(before) || !/^\s*(?::[^=]*)?=(?!=)/.test(after)) return false;
  for (const { path: file, range } of references) {
    const used = (await documentAt(context, file))?.line(range.start.line) ?? '';
    if (!isMember(used, range.start.character)) return false;
  }
  return true;
}
