import type { Call } from './call.ts';
import type { Doubt } from './doubts.ts';
import type { FileProblems, WorkspaceProblems } from './problems.ts';
import type { Proposal } from './proposal.ts';
import type { Action, AnswerOf, FileMove, Place, Question, QuestionKind } from './questions.ts';

/** An answer with the reasons why it may be incomplete. */
export interface Reply<T> {
  readonly answer: T;
  readonly doubts: readonly Doubt[];
}

/** The state of one language server as an agent sees it. */
export interface ServerStatus {
  readonly id: string;
  readonly root: string;
  readonly languages: readonly string[];
  readonly state:
    | 'not_started'
    | 'starting'
    | 'indexing'
    | 'ready'
    /** It does not tell whether it is ready. */
    | 'running'
    | 'stopped'
    | 'crashed'
    | 'not_installed'
    | 'not_trusted';
  /** Where it is still loading the project: what it says that it does, and for how long it has not been ready. */
  readonly loading?: { readonly doing?: string; readonly seconds: number };
  /** Why what it answers may be incomplete as long as it runs. */
  readonly doubts: readonly Doubt[];
  /** The server that is asked instead while it is there. */
  readonly standbyFor?: string;
  readonly pid?: number;
  readonly version?: string;
  /** The questions that it answers, while it runs. */
  readonly answers?: readonly string[];
  /** The real path of the program, and which rule found it. */
  readonly command?: string;
  readonly origin?: string;
  readonly uptimeSeconds?: number;
  readonly memoryBytes?: number;
  readonly restarts: number;
  readonly openDocuments: number;
  /** How its latest process ended, where one has. */
  readonly lastExit?: LastExit;
  /** As long as it is left alone after many crashes. */
  readonly leftAloneSeconds?: number;
  /** The names of processes that it had let go and that were ended after it. */
  readonly daemonsEnded: readonly string[];
  readonly lastErrors: readonly string[];
  /** What it last wrote to stderr. */
  readonly lastWords: readonly string[];
  /** What the server writes into the tree, from its definition. */
  readonly writes: readonly string[];
  readonly install?: string;
  /** Not installed, and no loss: another that does the same is there, or is the one to install. */
  readonly spare: boolean;
}

/** How a server is, as far as it is known without asking anybody. */
export interface ServerHealth {
  readonly id: string;
  readonly state: 'starting' | 'indexing' | 'ready' | 'running' | 'stopped' | 'crashed';
  readonly restarts: number;
  /** What it and all that it started took of the memory when that was last looked at. */
  readonly memoryBytes?: number;
}

/** How a server's process ended. */
export interface LastExit {
  /** `code 1`, `signal SIGSEGV`. */
  readonly how: string;
  readonly secondsAgo: number;
  readonly livedSeconds: number;
}

/** Whether a search from a place covers another file: it does, it does not at present, or the file is of another language. */
export type Visibility = 'seen' | 'unseen' | 'other_language';

/** Which servers are meant: by id, by language, by the extensions of files that they serve (without the dot), or all. */
export interface ServerSelector {
  readonly server?: string | undefined;
  readonly language?: string | undefined;
  readonly extensions?: readonly string[] | undefined;
}

/** What became of a server that was to be restarted or stopped. */
export interface ServerOutcome {
  readonly id: string;
  readonly root: string;
  readonly outcome: 'restarted' | 'stopped' | 'not_running' | 'failed';
  /** Why it failed. */
  readonly error?: string;
}

/** Text that is not on the disk, by real path; a path may be that of a file that does not exist yet. */
export type OverlayTexts = ReadonlyMap<string, string>;

/** Answers questions about the texts of files: those on the disk, or those of an overlay. */
export interface Answering {
  /** Rejects with `not_supported` what it is not able to answer; an empty answer means that there is nothing. */
  ask<K extends QuestionKind>(question: Question<K>, call: Call): Promise<Reply<AnswerOf<K>>>;
  /** Tells which files a search for uses of what is at a place covers. A file that is left out counts as unseen. */
  visibility(place: Place, files: readonly string[]): Promise<ReadonlyMap<string, Visibility>>;
  /** The problems of files, and of others that the servers tell of beside them. */
  diagnostics(files: readonly string[], call: Call): Promise<Reply<readonly FileProblems[]>>;
}

/** What every backend offers. An editor or an index implements this part alone. */
export interface AnswerSource extends Answering {
  /** Names the backend in the status and in doubts. */
  readonly id: string;
  /** Whether it is worth asking, about a file where there is one. When absent, it is always asked, and may decline. */
  answers?(kind: QuestionKind | 'diagnostics', path: string | undefined): boolean;
  /** The problems of the workspace, as far as servers look at files that nobody has named. */
  workspaceDiagnostics(call: Call): Promise<Reply<WorkspaceProblems>>;
  /** Returns what carrying out an action that it has offered would change. */
  propose(action: Action, call: Call): Promise<Proposal>;
  /** Calls the listener with each file whose problems have just changed. Returns a function that ends it. */
  onDiagnostics(listener: (path: string) => void): () => void;
  /** Ends the backend. `hurried` shortens each step, for when the client has gone. */
  close(options?: { readonly hurried?: boolean }): Promise<void>;
}

/** Answers about texts that are not on the disk. */
export interface OverlaySource {
  /**
   * Works with answers that are about these texts instead of those on the disk. Who asks otherwise meanwhile waits,
   * the work itself included; when it has ended, or the call has, everything is as on the disk again.
   */
  overlay<T>(texts: OverlayTexts, call: Call, work: (overlaid: Answering) => Promise<T>): Promise<T>;
}

/** Controls the processes of language servers. */
export interface ServerControl {
  status(): Promise<readonly ServerStatus[]>;
  /** Restarts those that run, and gives others that crashed another chance; returns none where none is meant. */
  restart(selector: ServerSelector, call: Call): Promise<readonly ServerOutcome[]>;
  /** Stops those that run; the next question starts them again. Returns none where none is meant. */
  stop(selector: ServerSelector, call: Call): Promise<readonly ServerOutcome[]>;
  /** Tells the servers that asked for it that these files were moved, after the disk says so too. */
  filesMoved(moves: readonly FileMove[], call: Call): Promise<void>;
  /** Like `ask`, but starts no server; returns nothing where none that could answer runs. */
  askRunning<K extends QuestionKind>(question: Question<K>, call: Call): Promise<AnswerOf<K> | undefined>;
  /** The files of which running servers have last told problems; none is asked. */
  filesWithProblems(): readonly string[];
}

/** A backend with all its parts, as language servers are. */
export interface Backend extends AnswerSource, OverlaySource {
  readonly servers: ServerControl;
}
