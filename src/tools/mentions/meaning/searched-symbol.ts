import type { Place, Span } from '../../../core/question.ts';
import { isPython } from '../../../source-text/imports.ts';
import { type Word, wordAround } from '../../../source-text/words.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import type { ToolContext } from '../../run/tool.ts';
import { documentAt } from '../../show/document-at.ts';

/** The symbol whose uses were searched, and the uses that are known. */
export interface SearchedSymbol {
  readonly place: Place;
  readonly name: string;
  readonly references: readonly Span[];
}

/** A word of a text, on one of its lines. */
interface WordOnLine {
  readonly document: Document;
  readonly line: number;
  readonly word: Word;
}

/** Yields the words of Python at the place of a symbol and at its uses, the declaration among them. */
export async function* wordsOfPython(
  context: ToolContext,
  { place, references }: Pick<SearchedSymbol, 'place' | 'references'>,
): AsyncGenerator<WordOnLine> {
  const uses = references.map(({ path, range }) => ({ path, position: range.start }));
  for (const { path, position } of [{ path: place.path, position: place.position }, ...uses]) {
    const document = isPython(path) ? await documentAt(context, path) : undefined;
    const word = document && wordAround(document.line(position.line), position.character);
    if (document && word) yield { document, line: position.line, word };
  }
}
