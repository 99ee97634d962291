import type { Call } from '../../core/call.ts';
import type { Span } from '../../core/question.ts';
import { isC } from '../../source-text/c-files.ts';
import { lexicalAt } from '../../source-text/lexical.ts';
import { joinedPartsOf, macrosWith } from '../../source-text/macros.ts';
import { occurrences, wordAt } from '../../source-text/words.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { spanOf } from './definitions-at.ts';
import type { SearchedSymbol } from './meaning/searched-symbol.ts';
import type { Mention } from './mentions.ts';
import { SpanSet } from './span-set.ts';

/**
 * Returns where macros of C join words that give the name of a symbol, or may: no text contains it there. A use that the
 * server lists needs no help, and if it lists any whose text is another, it has expanded the macros.
 */
export async function namesByMacros(
  context: ToolContext,
  { place, name, references }: SearchedSymbol,
  call: Call,
): Promise<readonly Mention[]> {
  if (!isC(place.path)) return [];
  const known = await SpanSet.from(references);
  const uses: Span[] = [];
  const parts: Span[] = [];
  const documents: Document[] = [];
  for (const path of new Set([place.path, ...references.map((one) => one.path)])) {
    const document = isC(path) ? await documentAt(context, path) : undefined;
    if (document) documents.push(document);
    if (!document?.text.includes('##')) continue;
    for (const part of joinedPartsOf(document.text, name)) {
      uses.push(...part.uses.map((offset) => spanOf(document, offset)));
      if (part.uses.length > 0 || (part.isSettled && (await isOnlyIn(context, path, part.macro, call))))
        continue;
      parts.push(spanOf(document, part.offset));
    }
  }
  uses.push(...usesOfMacros(documents, name, known));
  const unlisted = uses.filter(({ path, range }) => !known.has(path, range.start));
  const unused = parts.length === 0 || (await hasExpanded(context, references, name)) ? [] : parts;
  return [...unlisted, ...unused].map((span): Mention => ({ ...span, reason: 'unverified' }));
}

/** Returns whether no other file mentions a macro. */
async function isOnlyIn(context: ToolContext, path: string, macro: string, call: Call): Promise<boolean> {
  const mentioning = await context.workspace.mentioning(macro, call);
  return mentioning?.every((file) => file === path) === true;
}

/**
 * Returns the uses of macros whose text has the name, in files that use it, if the server lists some of them: the others may
 * be in code that it does not compile here.
 */
function usesOfMacros(documents: readonly Document[], name: string, known: SpanSet): readonly Span[] {
  const macros = new Set(documents.flatMap(({ text }) => macrosWith(text, name)));
  return [...macros].flatMap((macro) => {
    const spans = documents.flatMap((document) => usesInCode(document, macro));
    return spans.some(({ path, range }) => known.has(path, range.start)) ? spans : [];
  });
}

function usesInCode(document: Document, macro: string): readonly Span[] {
  const { path, text } = document;
  const offsets = occurrences(text, macro);
  const kinds = lexicalAt(path, text, offsets);
  return offsets
    .filter((offset, index) => kinds[index] === 'code' && !/^\s*#/.test(lineBefore(text, offset)))
    .map((offset) => spanOf(document, offset));
}

function lineBefore(text: string, offset: number): string {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
}

async function hasExpanded(
  context: ToolContext,
  references: readonly Span[],
  name: string,
): Promise<boolean> {
  for (const { path, range } of references) {
    const document = await documentAt(context, path);
    if (document && wordAt(document.line(range.start.line), range.start.character) !== name) return true;
  }
  return false;
}
