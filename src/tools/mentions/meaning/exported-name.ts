import type { Span } from '../../../core/question.ts';
import { linkAt } from '../../../source-text/imports.ts';
import { isInAll } from '../../../source-text/python-names.ts';
import { occurrences } from '../../../source-text/words.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import { documentAt } from '../../show/document-at.ts';
import { definitionsAt } from '../definitions-at.ts';
import type { Meaning } from './imported-symbol.ts';
import type { Resolving } from './resolving.ts';

/**
 * Returns what a string in `__all__` of a Python module means, of which the server knows nothing: what the module binds the
 * name to.
 */
export async function exportedMeaning(
  { path, range }: Span,
  { context, known, symbol, call }: Resolving,
): Promise<Meaning | undefined> {
  const document = await documentAt(context, path);
  const word = document && { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
  if (!word || !isInAll(path, document.text, word)) return undefined;
  const bound = boundAtTop(document, symbol.name);
  if (bound.some((one) => known.meets(one))) return 'imported_use';
  const definitions = await Promise.all(bound.map((one) => definitionsAt(context, one, call)));
  const all = definitions.flatMap((some) => some ?? []);
  if (all.some((one) => known.meets(one))) return 'imported_use';
  return all.length > 0 ? 'other_symbol' : 'unverified';
}

/** Returns where a module declares or imports a name. */
function boundAtTop(document: Document, name: string): Span[] {
  const { path, text } = document;
  return occurrences(text, name).flatMap((offset): Span[] => {
    const start = document.positionAt(offset);
    const line = document.line(start.line);
    const [before, after] = [line.slice(0, start.character), line.slice(start.character + name.length)];
    const isDeclared = declaring.test(before) || (before === '' && /^\s*[:=]/.test(after));
    if (!isDeclared && linkAt(path, text, offset)?.local?.name !== name) return [];
    const end = { line: start.line, character: start.character + name.length };
    return [{ path, range: { start, end }, standing: 'inside' }];
  });
}

const declaring = /^(?:async\s+)?(?:def|class)\s+$/;
