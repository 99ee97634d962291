import type { Call } from './call.ts';
import type { Doubt } from './doubts.ts';
import type { FileProblems, WorkspaceProblems } from './problems.ts';
import type { Proposal } from './proposal.ts';
import type {
  Action,
  AnswerOf,
  FileMove,
  FoundSymbol,
  Place,
  Question,
  QuestionKind,
  Span,
} from './question.ts';

/** An answer with the reasons why it may be incomplete. */
export interface Reply<T> {
  readonly answer: T;
  readonly doubts: readonly Doubt[];
}

/** State of one language server. */
export interface ServerStatus {
  readonly id: string;
  readonly root: string;
  readonly languages: readonly string[];
  readonly state:
    | 'not_started'
    | 'starting'
    | 'indexing'
    | 'ready'
    /** It has no readiness signal. */
    | 'running'
    | 'stopped'
    | 'crashed'
    | 'not_installed'
    | 'not_trusted';
  /** Set while it loads the project: what it reports, and how long it has not been ready. */
  readonly loading?: { readonly doing?: string; readonly seconds: number };
  /** Reasons why its answers may be incomplete as long as it runs. */
  readonly doubts: readonly Doubt[];
  /** The preferred server that is asked instead. */
  readonly standbyFor?: string;
  readonly pid?: number;
  /** Set while it runs in a sandbox. */
  readonly confined?: true;
  readonly version?: string;
  /** Questions that it answers; only known while it runs. */
  readonly answers?: readonly string[];
  /** Real path of the program. `origin` is the rule that found it. */
  readonly command?: string;
  readonly origin?: string;
  readonly uptimeSeconds?: number;
  readonly memoryBytes?: number;
  readonly restarts: number;
  readonly openDocuments: number;
  /** How its latest process ended, if one has. */
  readonly lastExit?: LastExit;
  /** Seconds until it is started again after too many crashes. */
  readonly leftAloneSeconds?: number;
  /** Names of daemons that it left behind and that lspan ended. */
  readonly daemonsEnded: readonly string[];
  readonly lastErrors: readonly string[];
  /** Last lines that it wrote to stderr. */
  readonly lastWords: readonly string[];
  /** Files that the server writes into the workspace, from its definition. */
  readonly writes: readonly string[];
  readonly install?: string;
  /** Not installed and not needed: another server of its group is installed, or is the one to install. */
  readonly spare: boolean;
}

/** Health of a server, as far as it is known without a request. */
export interface ServerHealth {
  readonly id: string;
  readonly state: 'starting' | 'indexing' | 'ready' | 'running' | 'stopped' | 'crashed';
  readonly restarts: number;
  /** Memory of its process tree when last measured. */
  readonly memoryBytes?: number;
}

/** The end of a server's process. */
export interface LastExit {
  /** `code 1`, `signal SIGSEGV`. */
  readonly how: string;
  readonly secondsAgo: number;
  readonly livedSeconds: number;
}

/** Coverage of another file by a search from a place: covered, not at present, or a file of another language. */
export type Visibility = 'seen' | 'unseen' | 'other_language';

/** Selects servers by id, by language, or by file extensions (without the dot); all if empty. */
export interface ServerSelector {
  readonly server?: string | undefined;
  readonly language?: string | undefined;
  readonly extensions?: readonly string[] | undefined;
}

/** Outcome of restarting or stopping a server. */
export interface ServerOutcome {
  readonly id: string;
  readonly root: string;
  readonly outcome: 'restarted' | 'stopped' | 'not_running' | 'failed';
  /** Why it failed. */
  readonly error?: string;
}

/** Texts that are not on disk, by real path; the files need not exist. */
export type OverlayTexts = ReadonlyMap<string, string>;

/** Which files of the workspace are to be checked. Default: all that belong to a project. */
export interface WorkspaceCheck {
  readonly among?: readonly string[] | undefined;
}

/** Answers questions about the texts of files: those on disk, or those of an overlay. */
export interface Answering {
  /** Rejects with `not_supported` if it cannot answer; an empty answer means that there is nothing. */
  ask<K extends QuestionKind>(question: Question<K>, call: Call): Promise<Reply<AnswerOf<K>>>;
  /** Returns which files a search for uses of the symbol at a place covers. A file that is left out counts as unseen. */
  visibility(place: Place, files: readonly string[]): Promise<ReadonlyMap<string, Visibility>>;
  /** Returns the problems of files, and of other files that the servers report with them. */
  diagnostics(files: readonly string[], call: Call): Promise<Reply<readonly FileProblems[]>>;
}

/** The part that every backend has. An editor or an index may implement only this. */
export interface AnswerSource extends Answering {
  /** Names the backend in the status and in doubts. */
  readonly id: string;
  /** True if it is asked only where the others fail, or find nothing and are not sure. */
  readonly isStandby?: boolean;
  /** Returns whether to ask it a kind of question, about a file if there is one. Default: always; it may then decline. */
  answers?(kind: QuestionKind | 'diagnostics', path: string | undefined): boolean;
  /**
   * Returns the problems of the workspace, as far as servers check files without being asked about them. With `check`, all
   * its files are checked, or those of the list, as far as the time of the call goes; the next call goes on.
   */
  workspaceDiagnostics(call: Call, check?: WorkspaceCheck): Promise<Reply<WorkspaceProblems>>;
  /** Returns what an action that it has offered would change. Rejects others with `not_supported` or `stale`. */
  propose(action: Action, call: Call): Promise<Proposal>;
  /** Calls the listener with each file whose problems have changed; returns a function that removes it. */
  onDiagnostics(listener: (path: string) => void): () => void;
  /** Ends the backend. `hurried` shortens each step, for a client that is gone. */
  close(options?: { readonly hurried?: boolean }): Promise<void>;
}

/** Answers about texts that are not on disk. */
export interface OverlaySource {
  /**
   * Runs `work` with answers about these texts instead of the files on disk. Other questions wait meanwhile, including
   * those that `work` itself asks the backend. The disk applies again when `work` or the call has ended.
   */
  overlay<T>(texts: OverlayTexts, call: Call, work: (overlaid: Answering) => Promise<T>): Promise<T>;
}

/** Controls the processes of language servers. */
export interface ServerControl {
  status(): Promise<readonly ServerStatus[]>;
  /** Restarts running servers, and lets crashed ones start again. Returns an empty list if none is selected. */
  restart(selector: ServerSelector, call: Call): Promise<readonly ServerOutcome[]>;
  /** Stops running servers; the next question starts them again. Returns an empty list if none is selected. */
  stop(selector: ServerSelector, call: Call): Promise<readonly ServerOutcome[]>;
  /** Notifies the servers that registered for it, after these files were moved on disk. */
  filesMoved(moves: readonly FileMove[], call: Call): Promise<void>;
  /** Like `ask`, but starts no server; returns `undefined` if no running server can answer. */
  askRunning<K extends QuestionKind>(question: Question<K>, call: Call): Promise<AnswerOf<K> | undefined>;
  /** Returns the files for which running servers last reported problems; asks none. */
  filesWithProblems(): readonly string[];
}

/** A backend with all parts, as language servers have. */
export interface Backend extends AnswerSource, OverlaySource {
  readonly servers: ServerControl;
}

/** A backend that a program gives: it may lack overlays and server processes. */
export type GivenBackend = AnswerSource & Partial<Backend>;

/** What is asked about a symbol in other repositories. */
export type RepositoryQuestion = 'definition' | 'references' | 'implementations';

/** The symbol in question: at places of the workspace, or by a name that the workspace does not have. */
export type RepositorySymbol = { readonly places: readonly Place[] } | { readonly name: string };

/** Other repositories, as indexes know them. Nothing there is read or changed. */
export interface Repositories {
  /** Returns whether anything is indexed. */
  isThere(): Promise<boolean>;
  /**
   * Finds a symbol in other repositories. Throws `not_found` if nothing is indexed. Doubts say how old the indexes are,
   * and what they do not have.
   */
  find(question: RepositoryQuestion, symbol: RepositorySymbol, call: Call): Promise<Reply<readonly Span[]>>;
  /** Finds symbols that other repositories define, by the beginning of their name. */
  search(query: string, call: Call): Promise<Reply<readonly FoundSymbol[]>>;
  /** Returns the line of code at a place of another repository, if the index has its text. */
  line(span: Span): Promise<string | undefined>;
}
