import { limits } from '../../../core/limits.ts';
import type { Span } from '../../../core/question.ts';
import { PythonBindings } from '../../../source-text/enclosing/python-bindings.ts';
import { isPython } from '../../../source-text/imports.ts';
import { lexicalAt } from '../../../source-text/lexical.ts';
import { isInAll } from '../../../source-text/names/python-names.ts';
import { occurrences } from '../../../source-text/words.ts';
import { type Document, rangeAt } from '../../../workspace/texts/document.ts';
import { documentAt } from '../../show/document-at.ts';
import { definitionsAt } from '../definitions-at.ts';
import type { Meaning } from './imported-symbol.ts';
import type { Resolving } from './resolving.ts';

/**
 * Returns what a string in `__all__` of a Python module means, of which the server knows nothing: what the module binds the
 * name to. Of several bindings, any may be the one, as after `except ImportError`.
 */
export async function exportedMeaning(
  { path, range }: Span,
  resolving: Resolving,
): Promise<Meaning | undefined> {
  const { context, symbol } = resolving;
  const document = await documentAt(context, path);
  const word = document && { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
  if (!word || !isInAll(path, document.text, word)) return undefined;
  const bound = boundAtTop(document, symbol.name);
  if (bound.length > limits.mentions.modules) return 'unverified';
  const meanings = await Promise.all(bound.map((one) => boundMeaning(one, bound.length > 1, resolving)));
  const [meaning = 'unverified', ...others] = new Set(meanings);
  return others.length === 0 ? meaning : 'unverified';
}

/**
 * True for a name in an import of Python that may mean the symbol, if the module binds the name elsewhere too: a server that
 * cannot follow the import answers with what another binding leads to.
 */
export async function isOneOfBindings(
  mention: Span,
  { context, symbol, imported }: Resolving,
): Promise<boolean> {
  if (!isPython(mention.path)) return false;
  const meaning = await imported.meaningAt(mention);
  if (meaning !== 'imported_use' && meaning !== 'unverified') return false;
  const document = await documentAt(context, mention.path);
  return document !== undefined && boundAtTop(document, symbol.name).length > 1;
}

/** Returns what a name is at the place where a module binds it. */
async function boundMeaning(
  binding: Span,
  isOneOfSeveral: boolean,
  { context, known, imported, call }: Resolving,
): Promise<Meaning> {
  if (known.meets(binding)) return 'imported_use';
  const definitions = await definitionsAt(context, binding, call);
  if (definitions === undefined) return 'unverified';
  if (definitions.some((one) => known.meets(one))) return 'imported_use';
  const written = await imported.meaningAt(binding);
  // A server that cannot follow an import answers with the import, with another binding of the name, or with nothing.
  const elsewhere = definitions.filter(({ path }) => path !== binding.path);
  if (elsewhere.length === 0) return written ?? imported.meaningOf(binding);
  if (isOneOfSeveral && (written === 'imported_use' || written === 'unverified')) return 'unverified';
  const meanings = new Set(await Promise.all(elsewhere.map((one) => imported.meaningOf(one))));
  const [meaning = 'unverified', ...others] = meanings;
  return others.length === 0 ? meaning : 'unverified';
}

/** Returns where a module declares or imports a name at its top. */
function boundAtTop(document: Document, name: string): Span[] {
  const { path, text } = document;
  const bindings = new PythonBindings(document);
  const offsets = occurrences(text, name);
  const kinds = lexicalAt(path, text, offsets);
  return offsets.flatMap((offset, index): Span[] => {
    const isBound = kinds[index] === 'code' && bindings.holdersAt(offset, name)?.length === 0;
    return isBound ? [{ path, range: rangeAt(document, offset, name.length), standing: 'inside' }] : [];
  });
}
