import type { Call } from '../../core/call.ts';
import { contains } from '../../core/position.ts';
import type { OutlineSymbol, Span } from '../../core/question.ts';
import { ownNameIn } from '../../workspace/texts/own-name.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import type { SearchedSymbol } from './meaning/searched-symbol.ts';

/**
 * Returns the function to which a symbol is local, if the outline of its file shows it: nothing outside can be a use of a
 * variable that a function declares. `undefined` for everything else.
 */
export async function localScope(
  context: ToolContext,
  { references }: Pick<SearchedSymbol, 'references'>,
  call: Call,
): Promise<Span | undefined> {
  const [first] = references;
  if (!first || references.some(({ path }) => path !== first.path)) return undefined;
  const outline = await context.outlines.of(context, first.path, call).catch(() => undefined);
  const range = scopeOf(outline?.answer ?? [], references);
  return range && { path: first.path, range, standing: first.standing };
}

/** Returns the range of the innermost function that declares a variable at one of the places, and holds all of them. */
function scopeOf(outline: readonly OutlineSymbol[], places: readonly Span[]): Span['range'] | undefined {
  for (const { kind, range, children } of outline) {
    if (!places.every((place) => contains(range, place.range.start))) continue;
    const inner = scopeOf(children, places);
    if (inner) return inner;
    const declares = (one: OutlineSymbol) =>
      variables.has(one.kind) && places.some((place) => contains(one.selection, place.range.start));
    if (functions.has(kind) && children.some(declares)) return range;
  }
  return undefined;
}

const functions: ReadonlySet<string> = new Set(['function', 'method', 'constructor']);
const variables: ReadonlySet<string> = new Set(['variable', 'constant']);

/**
 * Returns the file to which a symbol is local: a module of a script that declares it at its top and does not export it.
 * Nothing in another file can be a use, whether the server can resolve it or not. `undefined` for everything else.
 */
export async function fileScope(
  context: ToolContext,
  { place, references }: SearchedSymbol,
): Promise<Span | undefined> {
  const { path } = place;
  const [first] = references;
  if (!first || references.some((one) => one.path !== path)) return undefined;
  if ((await ownNameIn(context.workspace, place)) === undefined) return undefined;
  const document = await documentAt(context, path);
  if (!document) return undefined;
  const range = { start: document.positionAt(0), end: document.positionAt(document.text.length) };
  return { path, range, standing: first.standing };
}
