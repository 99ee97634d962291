import type { Reply, ServerOutcome, ServerStatus } from '../core/backend.ts';
import type { FileProblems, WorkspaceProblems } from '../core/problems.ts';
import type { Proposal } from '../core/proposal.ts';
import type { Action, AnswerOf, Question, QuestionKind } from '../core/questions.ts';

/** What may be set for one question. */
export interface AskOptions {
  /** Ends the question, which then rejects with the code `cancelled`. */
  readonly signal?: AbortSignal;
  /** Milliseconds after which it rejects with the code `timed_out`; those of the client when absent. */
  readonly deadline?: number;
  /** Told what is being waited for, such as a server that is loading the project. */
  readonly onProgress?: (message: string) => void;
}

/** Texts by path: relative to the root, absolute, or a `file:` URI; a file need not exist. */
export type Texts = Readonly<Record<string, string>> | ReadonlyMap<string, string>;

/** Answers about texts that are not on the disk. */
export interface Overlaid {
  /** As that of the client. */
  ask<K extends QuestionKind>(question: Question<K>): Promise<Reply<AnswerOf<K>>>;
  /** As that of the client. */
  diagnostics(files: readonly string[]): Promise<Reply<readonly FileProblems[]>>;
}

/**
 * A client of language servers, which start with the first question. Before each question every change on the disk has
 * reached the servers; it waits until they have loaded the project, and is asked once more where one crashed. What may be
 * missing in an answer all the same stands in its `doubts`: without any it is complete. Whatever fails, fails with an
 * `LspanError`. Positions count from 0, in UTF-16 units. Paths in questions may be relative to the root, those in
 * answers are absolute; no path outside the workspace and the libraries of its languages is read.
 */
export interface Client extends AsyncDisposable {
  /** The real paths of the folders of the workspace. */
  readonly roots: readonly string[];
  /** Asks a question of the vocabulary; its `kind` decides what else it says and what the answer is. */
  ask<K extends QuestionKind>(question: Question<K>, options?: AskOptions): Promise<Reply<AnswerOf<K>>>;
  /** The problems of files, of their present text, and of files beside them that servers tell of. */
  diagnostics(files: readonly string[], options?: AskOptions): Promise<Reply<readonly FileProblems[]>>;
  /** The problems of the workspace, as far as servers look at files that nobody has named. */
  workspaceDiagnostics(options?: AskOptions): Promise<Reply<WorkspaceProblems>>;
  /** What an action, of the answer to a question of kind `actions`, would change. Nothing is changed. */
  propose(action: Action, options?: AskOptions): Promise<Proposal>;
  /**
   * Works with answers about these texts instead of those on the disk. Other questions wait meanwhile, those that the
   * work itself asks the client too: it asks what it is given. Afterwards everything is as on the disk again.
   */
  overlay<T>(texts: Texts, work: (overlaid: Overlaid) => Promise<T>, options?: AskOptions): Promise<T>;
  /**
   * Takes a text that is not on the disk for that of a file, there or not yet, for every question from now on; `null`
   * gives the disk its say again. Takes effect at once, and throws where the path or the text cannot be taken.
   */
  hold(file: string, text: string | null): void;
  /** Called with the path of each file of which a server has told its problems anew, until the returned function is called. */
  onDiagnostics(listener: (path: string) => void): () => void;
  /** Starts the servers now, and resolves when they have said what they can do. Rejects where one cannot be started. */
  start(options?: AskOptions): Promise<void>;
  /** How the servers are. Starts none. */
  status(options?: AskOptions): Promise<readonly ServerStatus[]>;
  /** Restarts the servers that run, and gives those that crashed too often another chance. */
  restart(options?: AskOptions): Promise<readonly ServerOutcome[]>;
  /** Ends the questions under way and every process that was started, whatever those started too. */
  close(): Promise<void>;
}
