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
import type { SearchedSymbol } from './meaning/resolving.ts';

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
      const document = isPython(span.path) ? await documentAt(context, span.path) : undefined;
      const word = document && wordAround(document.line(span.range.start.line), span.range.start.character);
      if (!document || !word) continue;
      const { line } = span.range.start;
      const end = document.offsetAt({ line, character: word.start + word.text.length });
      const bases = pythonBasesAfter(document.text, end);
      if (bases.some(({ text }) => text === 'TypedDict')) return true;
      for (const { start } of bases)
        above.push(...((await definitionsAt(context, spanOf(document, start), call)) ?? []));
    }
    level = above;
  }
  return false;
}
