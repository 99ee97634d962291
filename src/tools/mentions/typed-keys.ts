import type { Call } from '../../core/call.ts';
import { limits } from '../../core/limits.ts';
import type { Span } from '../../core/question.ts';
import { PythonBindings } from '../../source-text/enclosing/python-bindings.ts';
import { isPython } from '../../source-text/imports.ts';
import { isPythonField, pythonBasesAfter } from '../../source-text/members/python-fields.ts';
import { wordAround } from '../../source-text/words.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { definitionsAt, spanOf } from './definitions-at.ts';
import type { SearchedSymbol } from './meaning/searched-symbol.ts';

/**
 * True if a symbol is a field of a `TypedDict` of Python: strings are its uses, `movie["title"]`, and servers list none of
 * them.
 */
export async function isTypedKey(
  context: ToolContext,
  { place: { path, position }, name }: SearchedSymbol,
  call: Call,
): Promise<boolean> {
  const document = isPython(path) ? await documentAt(context, path) : undefined;
  if (!document) return false;
  const start = document.offsetAt(position);
  if (!isPythonField(path, document.text, { start, end: start + name.length })) return false;
  const holder = new PythonBindings(document).holdersAt(start, name)?.at(-1);
  const named = holder === undefined ? undefined : lastClass(document.text.slice(0, start), holder);
  return named !== undefined && isTypedDict(context, spanOf(document, named), call);
}

/** Returns where the last class of a name is declared in a text: the offset of the name. */
function lastClass(text: string, name: string): number | undefined {
  let last: number | undefined;
  for (const { 0: all, index } of text.matchAll(/^[ \t]*class[ \t]+\w+/gm))
    if (all.endsWith(name) && !/\w/.test(all[all.length - name.length - 1] ?? ''))
      last = index + all.length - name.length;
  return last;
}

/** Follows the bases of a class of Python, as far as the server knows them. */
async function isTypedDict(context: ToolContext, first: Span, call: Call): Promise<boolean> {
  let level: readonly Span[] = [first];
  for (let depth = 0; depth < limits.hierarchy.depth && level.length > 0; depth += 1) {
    const above: Span[] = [];
    for (const span of level) {
      const bases = await basesOf(context, span);
      if (bases.some(({ name }) => name === 'TypedDict')) return true;
      for (const base of bases) above.push(...((await definitionsAt(context, base.span, call)) ?? []));
    }
    level = above;
  }
  return false;
}

/** Returns the bases of the class whose name is at a span. */
async function basesOf(
  context: ToolContext,
  { path, range }: Span,
): Promise<{ readonly name: string; readonly span: Span }[]> {
  const document = isPython(path) ? await documentAt(context, path) : undefined;
  const { line, character } = range.start;
  const word = document && wordAround(document.line(line), character);
  if (!document || !word) return [];
  const end = document.offsetAt({ line, character: word.start + word.text.length });
  return pythonBasesAfter(document.text, end).map(({ text, start }) => ({
    name: text,
    span: spanOf(document, start),
  }));
}
