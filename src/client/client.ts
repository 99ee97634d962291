import type { Reply, ServerOutcome, ServerStatus } from '../core/backend.ts';
import type { FileProblems, WorkspaceProblems } from '../core/problems.ts';
import type { Proposal } from '../core/proposal.ts';
import type { Action, AnswerOf, Question, QuestionKind } from '../core/question.ts';

/** Options of one question. */
export interface AskOptions {
  /** Cancels the question, which then rejects with the code `cancelled`. */
  readonly signal?: AbortSignal;
  /** Milliseconds after which it rejects with the code `timed_out`. Default: the client's deadline. */
  readonly deadline?: number;
  /** Called with what the question is waiting for, such as a server that is loading the project. */
  readonly onProgress?: (message: string) => void;
}

/** Texts by path: relative to the root, absolute, or a `file:` URI. The files need not exist. */
export type Texts = Readonly<Record<string, string>> | ReadonlyMap<string, string>;

/** Answers about texts that are not on disk. */
export interface Overlaid {
  /** Like `Client.ask`. */
  ask<K extends QuestionKind>(question: Question<K>): Promise<Reply<AnswerOf<K>>>;
  /** Like `Client.diagnostics`. */
  diagnostics(files: readonly string[]): Promise<Reply<readonly FileProblems[]>>;
}

/**
 * A client of language servers, which start with the first question. Before each question every change on disk has
 * reached the servers; it waits until they have loaded the project, and is asked again if one crashed. Anything that may
 * still be missing from an answer is listed in its `doubts`; an answer without doubts is complete. Every failure is an
 * `LspanError`. Positions are 0-based, in UTF-16 units. Paths in questions may be relative to the root, those in answers
 * are absolute; nothing outside the workspace and the libraries of its languages is read.
 */
export interface Client extends AsyncDisposable {
  /** Real paths of the workspace folders. */
  readonly roots: readonly string[];
  /** Asks a question of the vocabulary; its `kind` determines its other fields and the type of the answer. */
  ask<K extends QuestionKind>(question: Question<K>, options?: AskOptions): Promise<Reply<AnswerOf<K>>>;
  /** Returns the problems of the current text of files, and of other files that servers report with them. */
  diagnostics(files: readonly string[], options?: AskOptions): Promise<Reply<readonly FileProblems[]>>;
  /** Returns the problems of the workspace, as far as servers check files without being asked about them. */
  workspaceDiagnostics(options?: AskOptions): Promise<Reply<WorkspaceProblems>>;
  /** Returns what an action would change; the action comes from a question of kind `actions`. Changes nothing. */
  propose(action: Action, options?: AskOptions): Promise<Proposal>;
  /**
   * Runs `work` with answers about these texts instead of the files on disk. All other questions wait meanwhile, so
   * `work` must ask through its argument, not through the client. Afterwards the disk applies again.
   */
  overlay<T>(texts: Texts, work: (overlaid: Overlaid) => Promise<T>, options?: AskOptions): Promise<T>;
  /**
   * Uses an unsaved text as the content of a file, existing or not, in every question from now on; `null` uses the disk
   * again. Takes effect at once; throws if the path or the text is not accepted.
   */
  hold(file: string, text: string | null): void;
  /** Calls a listener with each file whose problems a server reports; returns a function that removes the listener. */
  onDiagnostics(listener: (path: string) => void): () => void;
  /** Starts the servers now and resolves when they are initialized. Rejects if one cannot be started. */
  start(options?: AskOptions): Promise<void>;
  /** Returns the state of the servers. Starts none. */
  status(options?: AskOptions): Promise<readonly ServerStatus[]>;
  /** Restarts the running servers, and lets servers that crashed too often start again. */
  restart(options?: AskOptions): Promise<readonly ServerOutcome[]>;
  /** Cancels the questions in progress and ends every server process with its children. */
  close(): Promise<void>;
}
