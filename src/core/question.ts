import type { Position, Range } from './position.ts';
import type { Problem } from './problems.ts';
import type { Proposal } from './proposal.ts';
import type { SymbolKind } from './symbol-kinds.ts';

/** A document and a position in it: the resolved target of an agent. */
export interface Place {
  readonly path: string;
  readonly position: Position;
}

/** Where a path is: in a workspace root, in a read-only library root, or outside both. */
export type Standing = 'inside' | 'library' | 'outside';

/**
 * A path and a range in it. A path outside the workspace is shown but never read; one of another repository has the form
 * `repository@commit:path`.
 */
export interface Span {
  readonly path: string;
  readonly range: Range;
  readonly standing: Standing;
  /** The server gave a position beyond the text; the range is the nearest one. */
  readonly clamped?: true;
  /** Set if it is in another repository: where an index has the text. */
  readonly indexed?: { readonly index: number; readonly path: string };
}

/** A symbol of one document, with its children. */
export interface OutlineSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly detail?: string;
  readonly range: Range;
  /** The name itself, at which questions about the symbol are asked. */
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

/** A server's information about a symbol, as Markdown. */
export interface Hover {
  readonly text: string;
  readonly range?: Range;
}

/** A caller, callee, supertype or subtype in a hierarchy. */
export interface HierarchyNode {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly detail?: string;
  /** The name itself, at which questions about the symbol are asked. */
  readonly span: Span;
  /** Where it calls its parent in the tree, or its parent calls it; empty at the root and for types. */
  readonly sites: readonly Span[];
  /** The next level; empty if it was not asked. */
  readonly children: readonly HierarchyNode[];
  /**
   * Why children are missing: the symbol is already above, or elsewhere in the tree; no more levels were requested; there
   * were too many; it took too long; or the server failed.
   */
  readonly cut?: 'cycle' | 'repeated' | 'depth' | 'many' | 'late' | 'failed';
}

/** One completion. */
export interface Completion {
  readonly label: string;
  readonly kind?: string;
  /** Signature or type. `source` is where it comes from. */
  readonly detail?: string;
  readonly source?: string;
  readonly documentation?: string;
  readonly isDeprecated: boolean;
  readonly isPreselected: boolean;
  /** The inserted text, without snippet placeholders. */
  readonly insert: string;
  /** Lines that accompanying edits elsewhere add, such as an import. */
  readonly additions: readonly string[];
}

/** Completions at a place, the best first. */
export interface Completions {
  readonly items: readonly Completion[];
  /** Number of completions that match the text before the place, listed or not. */
  readonly total: number;
  /** The server says that there are more. */
  readonly isIncomplete: boolean;
  /** Number of items without the details that the server gives only on request, such as imports. */
  readonly unresolved: number;
}

/** One signature of a called function. */
export interface Signature {
  readonly label: string;
  readonly documentation?: string;
  /** Parameters with their offsets in the label. */
  readonly parameters: readonly {
    readonly from: number;
    readonly to: number;
    readonly documentation?: string;
  }[];
  /** Index of the parameter at the place. */
  readonly active?: number;
}

/** The signatures of the call at a place. */
export interface Signatures {
  readonly signatures: readonly Signature[];
  /** Index of the matching signature. */
  readonly active: number;
}

/** An inlay hint. */
export interface Hint {
  readonly position: Position;
  readonly label: string;
  readonly kind?: 'type' | 'parameter';
  readonly paddingLeft: boolean;
  readonly paddingRight: boolean;
}

/** The changes of renaming a symbol. */
export interface Rename {
  readonly proposal: Proposal;
  /** The replaced spans, as far as they exist before. */
  readonly spans: readonly Span[];
  /** Uses with the old name that the server does not rename. */
  readonly missed: readonly Span[];
}

/** One file or folder to move. */
export interface FileMove {
  readonly from: string;
  readonly to: string;
  readonly isFolder: boolean;
}

/** The edits that follow from moving files, and the servers that contributed. */
export interface MoveEdits {
  readonly proposal: Proposal;
  readonly servers: readonly string[];
}

/** Formatting options. */
export interface Layout {
  readonly tabSize: number;
  readonly insertSpaces: boolean;
  readonly [more: string]: string | number | boolean;
}

/** A code action that a server offers for a range of a file. */
export interface Action {
  readonly title: string;
  /** LSP kind, such as `quickfix`, `refactor.extract.function`, `source.organizeImports`. */
  readonly kind?: string;
  readonly isPreferred: boolean;
  /** Why it is not available now. */
  readonly disabled?: string;
  /** The problems that it fixes, if the server says so. */
  readonly fixes: readonly Problem[];
  readonly server: string;
  readonly path: string;
  /** Distinguishes it from the other actions that the server offers for the same texts. */
  readonly key: string;
  /** The action as the server sent it; needed, with `request`, to resolve it. */
  readonly sent: unknown;
  readonly request: unknown;
  /** Hashes of the texts that it was made for, by path; it does not apply to other texts. */
  readonly seen: Readonly<Record<string, string>>;
}

/**
 * The vocabulary: every question with its subject and its answer. A backend has one row for each; nothing else in
 * lspan knows how a question is asked.
 */
export interface Vocabulary {
  definition: { subject: { place: Place }; answer: readonly Span[] };
  references: { subject: { place: Place }; answer: readonly Span[] };
  declaration: { subject: { place: Place }; answer: readonly Span[] };
  /** Definition of the type of the symbol at a place. */
  type: { subject: { place: Place }; answer: readonly Span[] };
  implementations: { subject: { place: Place }; answer: readonly Span[] };
  /** Callers or callees of the functions at a place: each is the root of a tree of `depth` levels. */
  calls: {
    subject: { place: Place; direction: 'incoming' | 'outgoing'; depth: number };
    answer: readonly HierarchyNode[];
  };
  types: {
    subject: { place: Place; direction: 'supertypes' | 'subtypes'; depth: number };
    answer: readonly HierarchyNode[];
  };
  /** At most `most` items. */
  completions: { subject: { place: Place; most: number }; answer: Completions };
  signatures: { subject: { place: Place }; answer: Signatures | undefined };
  hints: { subject: { path: string; range: Range }; answer: readonly Hint[] };
  /** With `textless`, only whether there is one: the text is empty. */
  hover: { subject: { place: Place; textless?: true }; answer: Hover | undefined };
  outline: { subject: { path: string }; answer: readonly OutlineSymbol[] };
  /** `among` lists the files that may contain the symbol: only their servers are asked. */
  symbols: { subject: { query: string; among?: readonly string[] }; answer: readonly FoundSymbol[] };
  /** `undefined` if the server says that this cannot be renamed. */
  rename: { subject: { place: Place; newName: string }; answer: Rename | undefined };
  /** Asks every server that registered for file moves. */
  moves: { subject: { moves: readonly FileMove[] }; answer: MoveEdits };
  /** `only` lists the wanted kinds, including their sub-kinds. Without a range: fixes and actions for the whole file. */
  actions: { subject: { path: string; range?: Range; only?: readonly string[] }; answer: readonly Action[] };
  format: { subject: { path: string; range?: Range; layout: Layout }; answer: Proposal };
}

/** Kind of a question. */
export type QuestionKind = keyof Vocabulary;

/** One typed question with its subject. */
export type Question<K extends QuestionKind> = { readonly kind: K } & Readonly<Vocabulary[K]['subject']>;

/** Answer to a question of a kind. */
export type AnswerOf<K extends QuestionKind> = Vocabulary[K]['answer'];
