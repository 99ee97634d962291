import type { Position, Range } from './positions.ts';
import type { Problem } from './problems.ts';
import type { Proposal } from './proposal.ts';
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

/** Something that calls or is called, or that a type comes from or leads to. */
export interface HierarchyNode {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly detail?: string;
  /** The name itself, where a question about it is asked. */
  readonly span: Span;
  /** Where it calls what is above it in the tree, or is called there; none at the root, and of types. */
  readonly sites: readonly Span[];
  /** What is below it; none where it was not looked at. */
  readonly children: readonly HierarchyNode[];
  /**
   * Why what is below it is not told, or not all of it: it stands above already, or elsewhere in the tree, no more levels
   * were asked for, there was too much of it, it took too long, or the server failed there.
   */
  readonly cut?: 'cycle' | 'repeated' | 'depth' | 'many' | 'late' | 'failed';
}

/** One thing that may be written at a place. */
export interface Completion {
  readonly label: string;
  readonly kind?: string;
  /** The signature or the type, and what it comes from. */
  readonly detail?: string;
  readonly source?: string;
  readonly documentation?: string;
  readonly isDeprecated: boolean;
  readonly isPreselected: boolean;
  /** What is written, without the marks of a snippet. */
  readonly insert: string;
  /** Edits elsewhere that go with it, such as an import: the lines that they add. */
  readonly additions: readonly string[];
}

/** What may be written at a place, the best first. */
export interface Completions {
  readonly items: readonly Completion[];
  /** How many fit what is typed before the place, whether they are among the items or not. */
  readonly total: number;
  /** The server itself says that there are more. */
  readonly isIncomplete: boolean;
  /** Of how many items it is not known what the server tells only on demand, such as imports. */
  readonly unresolved: number;
}

/** One way to call what is called at a place. */
export interface Signature {
  readonly label: string;
  readonly documentation?: string;
  /** Each parameter with where it stands in the label. */
  readonly parameters: readonly {
    readonly from: number;
    readonly to: number;
    readonly documentation?: string;
  }[];
  /** The index of the parameter at the place. */
  readonly active?: number;
}

/** What is called at a place. */
export interface Signatures {
  readonly signatures: readonly Signature[];
  /** The index of the one that fits. */
  readonly active: number;
}

/** What an editor would show in the code though it is not written there. */
export interface Hint {
  readonly position: Position;
  readonly label: string;
  readonly kind?: 'type' | 'parameter';
  readonly paddingLeft: boolean;
  readonly paddingRight: boolean;
}

/** What renaming a symbol changes. */
export interface Rename {
  readonly proposal: Proposal;
  /** What is replaced, as far as it is there before. */
  readonly spans: readonly Span[];
  /** Uses that bear the old name and that the server does not rename. */
  readonly missed: readonly Span[];
}

/** One file or folder that is to be moved. */
export interface FileMove {
  readonly from: string;
  readonly to: string;
  readonly isFolder: boolean;
}

/** What follows from moving files, and whose servers had a say in it. */
export interface MoveEdits {
  readonly proposal: Proposal;
  readonly servers: readonly string[];
}

/** How a text is laid out. */
export interface Layout {
  readonly tabSize: number;
  readonly insertSpaces: boolean;
  readonly [more: string]: string | number | boolean;
}

/** Something that a server offers to do for a range of a file. */
export interface Action {
  readonly title: string;
  /** As the protocol names it: `quickfix`, `refactor.extract.function`, `source.organizeImports`. */
  readonly kind?: string;
  readonly isPreferred: boolean;
  /** Why it cannot be done now. */
  readonly disabled?: string;
  /** The problems that it is for, where the server says so. */
  readonly fixes: readonly Problem[];
  readonly server: string;
  readonly path: string;
  /** Tells it from the others that the server offers for the same texts. */
  readonly key: string;
  /** What the server sent, and in answer to what, for when it is asked to say what the action changes. */
  readonly sent: unknown;
  readonly request: unknown;
  /** The hashes of the texts that it was made for, by path: it says nothing about others. */
  readonly seen: Readonly<Record<string, string>>;
}

/**
 * The vocabulary: what can be asked, about what, and what the answer is.
 * A backend has one row for each; nothing else in lspan knows how it is asked.
 */
export interface Vocabulary {
  definition: { subject: { place: Place }; answer: readonly Span[] };
  references: { subject: { place: Place }; answer: readonly Span[] };
  declaration: { subject: { place: Place }; answer: readonly Span[] };
  /** Where the type of what is at a place is defined. */
  type: { subject: { place: Place }; answer: readonly Span[] };
  implementations: { subject: { place: Place }; answer: readonly Span[] };
  /** What calls, or is called by, the functions at a place: each is the root of a tree of so many levels. */
  calls: {
    subject: { place: Place; direction: 'incoming' | 'outgoing'; depth: number };
    answer: readonly HierarchyNode[];
  };
  types: {
    subject: { place: Place; direction: 'supertypes' | 'subtypes'; depth: number };
    answer: readonly HierarchyNode[];
  };
  /** As many as `most`. */
  completions: { subject: { place: Place; most: number }; answer: Completions };
  signatures: { subject: { place: Place }; answer: Signatures | undefined };
  hints: { subject: { path: string; range: Range }; answer: readonly Hint[] };
  hover: { subject: { place: Place }; answer: Hover | undefined };
  outline: { subject: { path: string }; answer: readonly OutlineSymbol[] };
  /** `among` names the files in which the symbol may be: only their servers are asked. */
  symbols: { subject: { query: string; among?: readonly string[] }; answer: readonly FoundSymbol[] };
  /** Nothing where the server says that this cannot be renamed. */
  rename: { subject: { place: Place; newName: string }; answer: Rename | undefined };
  /** Every server that wants to be asked before files move is. */
  moves: { subject: { moves: readonly FileMove[] }; answer: MoveEdits };
  /**
   * `only` names the wanted kinds, with those below them. Without a range: fixes of the problems of the file, and what
   * concerns the whole of it.
   */
  actions: { subject: { path: string; range?: Range; only?: readonly string[] }; answer: readonly Action[] };
  format: { subject: { path: string; range?: Range; layout: Layout }; answer: Proposal };
}

/** What can be asked. */
export type QuestionKind = keyof Vocabulary;

/** One typed question with its subject. */
export type Question<K extends QuestionKind> = { readonly kind: K } & Readonly<Vocabulary[K]['subject']>;

/** What a question of a kind is answered with. */
export type AnswerOf<K extends QuestionKind> = Vocabulary[K]['answer'];
