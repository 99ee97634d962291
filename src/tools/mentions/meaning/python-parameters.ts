import type { Span } from '../../../core/question.ts';
import { Pace } from '../../../core/runtime/slices.ts';
import { isKeywordArgument, isPython } from '../../../source-text/imports.ts';
import { calleesOf, isUnpackedKey, mayReach, takesAny } from '../../../source-text/names/python-arguments.ts';
import { isMember, wordAt } from '../../../source-text/words.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import type { ToolContext } from '../../run/tool.ts';
import { documentAt } from '../../show/document-at.ts';
import type { SearchedSymbol } from './searched-symbol.ts';

/**
 * Returns those of the mentions outside of a function of Python that may name its parameter: `size` in `box.draw(size=1)` and in
 * `partial(draw, size=1)`, or where a function passes on what it is given. None if the symbol is another variable.
 */
export async function argumentsMeant<Mention extends Span>(
  context: ToolContext,
  { name }: Pick<SearchedSymbol, 'name'>,
  scope: Span,
  mentions: readonly Mention[],
): Promise<readonly Mention[]> {
  const holder = isPython(scope.path) ? await documentAt(context, scope.path) : undefined;
  const callees = holder && calleesOf(holder.text, holder.offsetAt(scope.range.start), name);
  if (!holder || !callees) return [];
  const meant: Mention[] = [];
  const known = new Map<string, boolean>();
  const takes = ({ path, text }: Document, callee: string) => {
    const key = `${callee} ${path}`;
    const is = known.get(key) ?? takesAny(text, callee);
    known.set(key, is);
    return is;
  };
  const pace = new Pace();
  for (const mention of mentions) {
    if (pace.isLate()) await pace.rest();
    const document = await documentAt(context, mention.path);
    const offset = document?.offsetAt(mention.range.start) ?? 0;
    if (!document || !isGiven(document, offset, name)) continue;
    const passesOn = (callee: string) => [document, holder].some((one) => takes(one, callee));
    if (mayReach(document.text, offset, callees, passesOn)) meant.push(mention);
  }
  return meant;
}

function isGiven({ path, text }: Document, start: number, name: string): boolean {
  return (
    isKeywordArgument(path, text, start) || isUnpackedKey(path, text, { start, end: start + name.length })
  );
}

/**
 * True if no definition of a keyword has its name: servers answer with the function that takes any, or with `options` in
 * `**options`.
 */
export async function isTakenByAny(
  context: ToolContext,
  { path, range }: Span,
  definitions: readonly Span[],
): Promise<boolean> {
  const document = isPython(path) ? await documentAt(context, path) : undefined;
  const [start, end] = [document?.offsetAt(range.start) ?? 0, document?.offsetAt(range.end)];
  if (!document || !isKeywordArgument(path, document.text, start)) return false;
  const name = document.text.slice(start, end);
  const words = await Promise.all(
    definitions.map(async ({ path: file, range: { start: at } }) => {
      const line = (await documentAt(context, file))?.line(at.line);
      return line === undefined ? name : wordAt(line, at.character);
    }),
  );
  return !words.includes(name);
}

/** True if a symbol of Python is never the name of an argument: a function, a class, or an attribute that a method sets. */
export async function isNoParameter(context: ToolContext, symbol: SearchedSymbol): Promise<boolean> {
  return (await isFunctionOrClass(context, symbol)) || isSetAttribute(context, symbol);
}

async function isFunctionOrClass(
  context: ToolContext,
  { place: { path, position }, references }: SearchedSymbol,
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
  { place: { path, position }, name, references }: SearchedSymbol,
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
