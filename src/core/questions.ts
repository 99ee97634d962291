import type { Position, Range } from './positions.ts';
import type { SymbolKind } from './symbol-kinds.ts';

/** A document and a position in it: what an agent's target means. */
export interface Place {
  readonly path: string;
  readonly position: Position;
}

/** Where a path stands: in a workspace root, in a read-only library root, or beyond both. */
export type Standing = 'inside' | 'library' | 'outside';

/** A path and a range in it. A path outside the workspace is shown, but never read. */
export interface Span {
  readonly path: string;
  readonly range: Range;
  readonly standing: Standing;
  /** The server named a position that the text does not have; the range is the nearest to it. */
  readonly clamped?: true;
}

/** A symbol of one document, with what it holds. */
export interface OutlineSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly detail?: string;
  readonly range: Range;
  /** The name itself, where a question about the symbol is asked. */
  readonly selection: Range;
  readonly children: readonly OutlineSymbol[];
}

/** A symbol found by a search over the workspace. */
export interface FoundSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly container?: string;
  readonly span: Span;
}

/** What a server tells of a symbol, as Markdown. */
export interface Hover {
  readonly text: string;
  readonly range?: Range;
}

/**
 * The vocabulary: what can be asked, about what, and what the answer is.
 * A backend has one row for each; nothing else in lspan knows how it is asked.
 */
export interface Vocabulary {
  definition: { subject: { place: Place }; answer: readonly Span[] };
  references: { subject: { place: Place }; answer: readonly Span[] };
  hover: { subject: { place: Place }; answer: Hover | undefined };
  outline: { subject: { path: string }; answer: readonly OutlineSymbol[] };
  /** `among` names the files in which the symbol may be: only their servers are asked. */
  symbols: { subject: { query: string; among?: readonly string[] }; answer: readonly FoundSymbol[] };
}

export type QuestionKind = keyof Vocabulary;

/** One typed question with its subject. */
export type Question<K extends QuestionKind> = { readonly kind: K } & Readonly<Vocabulary[K]['subject']>;

export type AnswerOf<K extends QuestionKind> = Vocabulary[K]['answer'];
