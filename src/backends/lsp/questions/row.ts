import type { Reply } from '../../../core/backend.ts';
import type { Call } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import type { AnswerOf, Place, Question, QuestionKind, Span } from '../../../core/question.ts';
import type { Json } from '../../../core/runtime/json.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { Translation } from '../convert/translation.ts';
import type { Refusable } from '../errors/refusals.ts';

/** How one kind of question is sent to a language server. */
export interface Row<K extends QuestionKind> {
  readonly method: string;
  /** Keys of the capability in the server's capabilities, joined by dots. */
  readonly capability: string;
  /** The server may refuse, with a reason. The first able server decides; an empty answer is a refusal. */
  readonly refusal?: Refusable;
  /** Joins the answers of several servers; without it, the first non-empty answer counts. */
  readonly union?: (answers: readonly AnswerOf<K>[]) => AnswerOf<K>;
  /** Drops results in files of other servers. */
  readonly keepOwn?: (
    answer: AnswerOf<K>,
    isOwn: (path: string) => boolean,
    workspace: Workspace,
  ) => AnswerOf<K> | Promise<AnswerOf<K>>;
  /** Servers may opt out; it is not an error if all do. */
  readonly optional?: OptionalRow<K>;
  /** Searches beyond one file: the server must see every file concerned first. */
  readonly search?: SearchRule<K>;
  /** The answer depends on the text of the file alone: no other server of the file is missed, even if it is empty. */
  readonly ofOneText?: true;
  /** Returns the document of the question. */
  path(question: Question<K>): string | undefined;
  /** For a question without a document, returns the files whose servers are asked; absent for all servers. */
  candidateFiles?(
    question: Question<K>,
    workspace: Workspace,
    call: Call,
  ): readonly string[] | undefined | Promise<readonly string[] | undefined>;
  /** Returns whether to ask one of these servers; absent for all. */
  appliesTo?(question: Question<K>, definition: ServerDefinition, workspace: Workspace): boolean;
  params(question: Question<K>, translation: Translation): Promise<Json>;
  /** Returns another request to send instead, if the question needs it. */
  variant?(question: Question<K>): Variant | undefined;
  /** Sends the server's own problems of the document with the request. */
  readonly withProblems?: true;
  /** Splits the question into several for one server. */
  readonly parts?: {
    of(question: Question<K>, translation: Translation): Promise<Reply<readonly Question<K>[]>>;
    join(answers: readonly AnswerOf<K>[]): AnswerOf<K>;
  };
  /** Replaces the single request with these parameters. */
  readonly request?: (
    question: Question<K>,
    translation: Translation,
    line: RequestSender,
  ) => Promise<unknown>;
  /** Reads an answer; may request what it leaves out. */
  answer(
    raw: unknown,
    question: Question<K>,
    translation: Translation,
    line: RequestSender,
  ): Promise<AnswerOf<K>>;
  /** Returns why an answer may be incomplete while files are unsaved, besides reasons common to all. */
  doubts?(
    question: Question<K>,
    definition: ServerDefinition,
    workspace: Workspace,
  ): Promise<readonly Doubt[]>;
  /** Adds results that only the servers of other files know. */
  readonly addFromOtherServers?: (
    question: Question<K>,
    answer: AnswerOf<K>,
    find: (place: Place, known: readonly Span[]) => Promise<Reply<readonly Span[]>>,
    workspace: Workspace,
  ) => Promise<Reply<AnswerOf<K>>>;
  /** Returns whether there was no time for a part of an answer. */
  isLate?(answer: AnswerOf<K>): boolean;
  /** Returns the number of results in an answer. */
  count(answer: AnswerOf<K>, question: Question<K>): number;
}

/** Returns how a question searches beyond one file; `undefined` if it does not. */
export function searchOf<K extends QuestionKind>(
  row: Row<K>,
  question: Question<K>,
): SearchRule<K> | undefined {
  return row.search?.applies?.(question) === false ? undefined : row.search;
}

/** A request to send instead, and what an agent can do if a server does not support it. */
export interface Variant {
  readonly method: string;
  readonly capability: string;
  readonly nextStep: string;
}

/** Which servers opt in. */
interface OptionalRow<K extends QuestionKind> {
  /** Returns whether a server opts in, by the options it announced or registered; empty if it did not. */
  wants(question: Question<K>, options: readonly Json[], workspace: Workspace): boolean;
  /** Answer of a server that opts out, or if there is no server. */
  readonly nothing: AnswerOf<K>;
}

/** Sends requests to one server. */
export interface RequestSender {
  /** Options with which the server announced or registered the capability. */
  readonly options: readonly Json[];
  /** Like `options`, but for another capability. */
  optionsOf(method: string, capability: string): readonly Json[];
  /** When an answer that takes several requests is given as far as it is known, on the clock of `performance.now()`. */
  readonly end: number;
  /** Sends a request; the default method is that of the row. */
  send(params: Json, method?: string): Promise<unknown>;
}

/** Continues a search in the session where it began. */
export interface FollowUp<K extends QuestionKind> {
  readonly definition: ServerDefinition;
  readonly workspace: Workspace;
  /** Asks the same question about another place. */
  readonly again: (place: Place) => Promise<AnswerOf<K>>;
  /** Finds the definitions of the symbol at a place. */
  readonly means: (place: Place) => Promise<readonly Span[]>;
}

/** How a search is prepared, and what it finds. */
export interface SearchRule<K extends QuestionKind> {
  /** Returns whether the question is a search; absent if all are. */
  applies?(question: Question<K>): boolean;
  /** Results are not all the uses, so search for uses first: they give the names that a file may mention. */
  readonly byUses?: true;
  /** Returns the place of the symbol; absent if the search may be about any symbol. */
  from?(question: Question<K>): Place;
  /** Returns the uses in an answer, whose names may lead to more; with `byUses`, symbols with more uses. */
  found(answer: AnswerOf<K>): readonly Span[];
  /** Continues where the server stops short. */
  follow?(
    answer: AnswerOf<K>,
    question: Question<K>,
    further: FollowUp<K>,
    call: Call,
  ): Promise<Reply<AnswerOf<K>>>;
  /** Adds uses that the server overlooked. */
  add?(
    answer: AnswerOf<K>,
    find: (known: readonly Span[]) => Promise<Reply<readonly Span[]>>,
    question: Question<K>,
    further: FollowUp<K>,
    call: Call,
  ): Promise<Reply<AnswerOf<K>>>;
}
