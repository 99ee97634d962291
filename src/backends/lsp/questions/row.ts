import type { Reply } from '../../../core/backend.ts';
import type { Call } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import type { AnswerOf, Place, Question, QuestionKind, Span } from '../../../core/questions.ts';
import type { Json } from '../../../core/runtime/json.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { Translation } from '../convert/translation.ts';
import type { Refusable } from '../errors/refusals.ts';

/** How one question of the vocabulary is asked of a language server. */
export interface Row<K extends QuestionKind> {
  readonly method: string;
  /** Where the handshake announces the capability: the keys, joined by points. */
  readonly capability: string;
  /** What a server may refuse, as it says why; the word of the first that is able then counts, and nothing is a refusal. */
  readonly refusal?: Refusable;
  /** Joins the answers of several servers; without it the first that is not empty counts. */
  readonly union?: (answers: readonly AnswerOf<K>[]) => AnswerOf<K>;
  /** Leaves out what concerns files of other servers. */
  readonly keepOwn?: (
    answer: AnswerOf<K>,
    isOwn: (path: string) => boolean,
    workspace: Workspace,
  ) => AnswerOf<K> | Promise<AnswerOf<K>>;
  /** Not every server has a say in it, and that nobody has is no error. */
  readonly optional?: OptionalRow<K>;
  /** It searches beyond one file, so that every file that may be concerned must be seen first. */
  readonly search?: SearchRule<K>;
  /** The document that the question is about. */
  path(question: Question<K>): string | undefined;
  /** The files whose servers are asked, where it is about no document; all when absent. */
  candidateFiles?(
    question: Question<K>,
    workspace: Workspace,
    call: Call,
  ): readonly string[] | undefined | Promise<readonly string[] | undefined>;
  /** Whether one of these servers is asked at all; they all are when absent. */
  appliesTo?(question: Question<K>, definition: ServerDefinition, workspace: Workspace): boolean;
  params(question: Question<K>, translation: Translation): Promise<Json>;
  /** Another request for the same, where the subject wants that one. */
  variant?(question: Question<K>): Variant | undefined;
  /** The server's own problems of the document go with it. */
  readonly withProblems?: true;
  /** The questions of which it consists, for one server. */
  readonly parts?: {
    of(question: Question<K>, translation: Translation): Promise<Reply<readonly Question<K>[]>>;
    join(answers: readonly AnswerOf<K>[]): AnswerOf<K>;
  };
  /** Asks in another way than by one request with these parameters. */
  readonly request?: (
    question: Question<K>,
    translation: Translation,
    line: RequestSender,
  ) => Promise<unknown>;
  /** Reads an answer; what it leaves out may be asked for. */
  answer(
    raw: unknown,
    question: Question<K>,
    translation: Translation,
    line: RequestSender,
  ): Promise<AnswerOf<K>>;
  /** Why an answer may lack something while texts are held, beside what makes any answer of the server so. */
  doubts?(
    question: Question<K>,
    definition: ServerDefinition,
    workspace: Workspace,
  ): Promise<readonly Doubt[]>;
  /** Adds what only the servers of other files know, given a way to find that. */
  readonly addFromOtherServers?: (
    question: Question<K>,
    answer: AnswerOf<K>,
    find: (place: Place, known: readonly Span[]) => Promise<Reply<readonly Span[]>>,
    workspace: Workspace,
  ) => Promise<Reply<AnswerOf<K>>>;
  /** How many things an answer holds. */
  count(answer: AnswerOf<K>, question: Question<K>): number;
}

/** How a question searches beyond one file; not at all where it does not. */
export function searchOf<K extends QuestionKind>(
  row: Row<K>,
  question: Question<K>,
): SearchRule<K> | undefined {
  return row.search?.applies?.(question) === false ? undefined : row.search;
}

/** Which request is sent instead, and what an agent can do where a server does not know it. */
export interface Variant {
  readonly method: string;
  readonly capability: string;
  readonly nextStep: string;
}

/** Which servers have a say. */
export interface OptionalRow<K extends QuestionKind> {
  /** Whether one wants to be asked, by the options with which it announced or registered that; none where it did not. */
  wants(question: Question<K>, options: readonly Json[], workspace: Workspace): boolean;
  /** The answer of one that does not, and where there is none. */
  readonly nothing: AnswerOf<K>;
}

/** The way to one server. */
export interface RequestSender {
  /** The options with which it announced or registered the capability. */
  readonly options: readonly Json[];
  /** The same of another capability. */
  optionsOf(method: string, capability: string): readonly Json[];
  /** Sends a request, by the row's own method when none is named. */
  send(params: Json, method?: string): Promise<unknown>;
}

/** What a search goes on with: the session that it began with. */
export interface FollowUp<K extends QuestionKind> {
  readonly definition: ServerDefinition;
  readonly workspace: Workspace;
  /** Asks the same about another place. */
  readonly again: (place: Place) => Promise<AnswerOf<K>>;
  /** Where what is at a place is defined. */
  readonly means: (place: Place) => Promise<readonly Span[]>;
}

/** How a search is prepared, and what it finds. */
export interface SearchRule<K extends QuestionKind> {
  /** Whether it is a search at all, where some of these questions are none. */
  applies?(question: Question<K>): boolean;
  /** What is found is not all uses, so that these are searched for first: by them the names are known that a file may mention. */
  readonly byUses?: true;
  /** Where what is searched for stands; it may be anything when absent. */
  from?(question: Question<K>): Place;
  /** The uses that were found, by whose names more may be; where uses are searched for first, what else has such. */
  found(answer: AnswerOf<K>): readonly Span[];
  /** Goes on where the server stops short. */
  follow?(
    answer: AnswerOf<K>,
    question: Question<K>,
    further: FollowUp<K>,
    call: Call,
  ): Promise<Reply<AnswerOf<K>>>;
  /** Adds uses that the server overlooked, given a way to find those. */
  add?(
    answer: AnswerOf<K>,
    find: (known: readonly Span[]) => Promise<Reply<readonly Span[]>>,
    question: Question<K>,
    workspace: Workspace,
  ): Promise<Reply<AnswerOf<K>>>;
}
