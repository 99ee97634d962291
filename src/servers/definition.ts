import type { Doubt } from '../core/doubts.ts';
import type { QuestionKind } from '../core/question.ts';
import type { Json } from '../core/runtime/json.ts';
import type { DiagnosticsFacts } from './diagnostics-facts.ts';
import type { ExportedUnderAnyName, Relay, SettingsOfFiles, UnreportedUses } from './habits.ts';
import type { FarServer, ProgramFiles } from './outside-facts.ts';
import type { ProjectFacts } from './project-facts.ts';

export type { ExportedUnderAnyName, Relay, SettingsOfFiles } from './habits.ts';
export type { CacheEntry, ProjectFacts } from './project-facts.ts';

/** A kind of question, or diagnostics. */
export type Service = QuestionKind | 'diagnostics';

/** Reads a file of the workspace; `undefined` if there is none. */
export type ReadText = (path: string) => Promise<string | undefined>;

/** A project of a server and the files that belong to it. */
export interface Membership {
  readonly id: string;
  readonly includes: (file: string) => boolean;
}

/** A command that replaces a request or another command. */
export interface Substitute {
  readonly command: string;
  readonly arguments: (params: Json) => readonly unknown[];
  /** Converts the command's answer to the answer of what it replaces. */
  readonly answer: (raw: unknown) => unknown;
}

/** All that lspan knows about one language server: data and small hooks, grouped by topic. */
export interface ServerDefinition {
  readonly id: string;
  /**
   * Maps each file extension, without the dot, to its LSP language id: `{ ts: 'typescript' }`. A key may also
   * be a whole name (`go.mod`, `Dockerfile`) or a first part (`Dockerfile.*`); both take precedence.
   */
  readonly extensions: Readonly<Record<string, string>>;
  /** Servers of one group do the same job: only the installed one with the highest rank answers. */
  readonly group?: string;
  /** The highest rank of a group is preferred. Default 0. */
  readonly rank?: number;
  /** True if it answers from an index that it has made before, and not from the files as they are. */
  readonly isStatic?: boolean;
  /** The questions that it answers. Default: all that its capabilities allow. */
  readonly answers?: readonly Service[];
  /** Milliseconds by question. Default: the deadline of the call. */
  readonly timeouts?: Partial<Record<Service, number>>;
  /** It may wait for a network, so it is not waited for long where others are asked too. */
  readonly mayWaitForNetwork?: true;
  readonly ready: ReadySignal | ((facts: ProjectFacts) => ReadySignal);
  /** Returns permanent reasons why results may be incomplete, such as features that are off without trust. */
  readonly doubts?: (facts: ProjectFacts, service: Service) => readonly Omit<Doubt, 'server'>[];
  readonly program: ServerProgram;
  /** Set if it runs elsewhere. */
  readonly far?: FarServer;
  readonly handshake?: HandshakeFacts;
  readonly trust?: TrustFacts;
  readonly confinement?: ConfinementFacts;
  readonly files?: FileFacts;
  readonly projects?: ProjectRules;
  readonly sync?: SyncFacts;
  readonly disk?: DiskFacts;
  readonly search?: SearchFacts;
  readonly edits?: EditFacts;
  readonly diagnostics?: DiagnosticsFacts;
  readonly quirks?: Quirks;
  /** The definition is written from the server's documentation, and was never run against the real server. */
  readonly untested?: true;
  readonly install: string;
}

/** How the server's program is found, started and limited. */
export interface ServerProgram {
  readonly sources: readonly ProgramSource[];
  /** npm packages that it needs beside its own. */
  readonly needsPackages?: readonly string[];
  readonly args: readonly string[];
  /** Returns arguments that depend on the root, such as a cache folder. They follow `args`. */
  readonly rootArgs?: (facts: ProjectFacts) => readonly string[];
  /** Arguments after all others, also after those of the user, while the root is not trusted. */
  readonly untrustedArgs?: readonly string[];
  /** Returns the working directory, if it affects what the server runs or reads. Default: the root. */
  readonly workingFolder?: (facts: ProjectFacts) => string;
  readonly env?: Readonly<Record<string, string>>;
  /** Returns variables that depend on the root, or on what the user named; `env` overrides them. */
  readonly rootEnv?: (
    facts: ProjectFacts,
    program: string,
    named: readonly string[],
  ) => Readonly<Record<string, string>>;
  /** Starts it with lspan rather than with the first call. */
  readonly startsEarly?: boolean;
  /** The number of starts before an exit is a failure, if it may exit without a fault. Default 1. */
  readonly startAttempts?: number;
  readonly initializeTimeout?: number;
  /** Bytes of memory for the server and all its child processes. Default: the configured limit. */
  readonly memory?: number;
  /** Matches a log message by which the server says that its own child process has died. */
  readonly childDied?: RegExp;
}

/** The content of `initialize`, and of answers to `workspace/configuration`. */
export interface HandshakeFacts {
  readonly initializationOptions?: (facts: ProjectFacts, program: string) => unknown;
  /** Returns the answers to `workspace/configuration` by section; the section '' is the whole. */
  readonly settings?: (facts: ProjectFacts, program: string) => Readonly<Record<string, unknown>>;
  /** It asks for its settings when it starts, and would load the project twice if they were also sent. */
  readonly asksForSettings?: true;
  /** Client capabilities besides those that every server gets, such as one that enables its ready signal. */
  readonly clientCapabilities?: Json;
}

/** The code of the repository that the server would run, and the files to which the user's trust is bound. */
interface TrustFacts {
  /** The code that it would run, as an object of a sentence. Without trust, it gets only `answersWithout`. */
  readonly runs?: string;
  /** The questions that it answers correctly without trust, running nothing. */
  readonly answersWithout?: readonly Service[];
  /** Returns what it leaves out without trust, as a sentence; called once for each start, since it may take long. */
  readonly withheld?: (facts: ProjectFacts) => string | undefined;
  /** Files may include the text of any other. What it quotes of files outside is withheld without trust. */
  readonly includesText?: true;
  /** Globs, relative to the root, of files that decide what it runs: trust is bound to their content. */
  readonly boundTo?: readonly string[];
}

/** When a server is confined: in every repository, in those that are not trusted, or nowhere. */
export type ConfineMode = 'always' | 'untrusted' | 'never';

/**
 * What the server needs in its sandbox besides what every server gets: there it sees the workspace, its program, the
 * folders of PATH, toolchains and `libraryRoots`, and may write only to the folders of `cache` that lspan does not fill.
 */
export interface ConfinementFacts {
  /** When it is confined. Default: as configured for all servers. */
  readonly confine?: ConfineMode;
  /** Returns more folders and files that it reads. */
  readonly reads?: (facts: ProjectFacts, program: string) => readonly string[];
  /** Returns more folders that it writes to; a part of a filled folder of `cache` is made by `cache` too. */
  readonly writes?: (facts: ProjectFacts) => readonly string[];
  /** Returns variables that lead it to what it may write to; they override all others. */
  readonly env?: (facts: ProjectFacts) => Readonly<Record<string, string>>;
}

/** Where the server is used, and which files concern it besides those of its languages. */
export interface FileFacts {
  /** It serves only files below a folder that contains a file with one of these names: `biome.json`. */
  readonly onlyBelow?: readonly string[];
  /** It serves only roots that contain files with one of these extensions, without the dot: `vue`. */
  readonly onlyWithExtensions?: readonly string[];
  /** Extensions of files that its own files import, and whose servers do not see the files of this one. */
  readonly importedExtensions?: readonly string[];
  /** Globs, relative to the root, of files to watch even if they are ignored. */
  readonly watchAlso?: readonly string[];
  /** Globs, relative to the root, of files whose change the server misses or applies late: it is restarted. */
  readonly restartsOn?: readonly string[];
  /** Returns the folders outside the workspace whose sources may be shown. */
  readonly libraryRoots?: (program: string, facts: ProjectFacts) => readonly string[];
  /** It reads whatever an import leads to: without a sandbox, files outside that it tells of are emptied for it. */
  readonly programFiles?: ProgramFiles;
  /** Files that it writes into the tree, for the status. */
  readonly writes?: readonly string[];
}

/** How files belong to projects, and when the server knows a project. */
export interface ProjectRules {
  /** Names of files that mark a project folder: `tsconfig.json`. The nearest one above a file applies. */
  readonly markers?: readonly string[];
  /** Returns the projects that a marker describes. Default: one, with all files below the marker. */
  readonly ofMarker?: (marker: string, read: ReadText) => Promise<readonly Membership[]>;
  /** Returns a file's project, if no marker decides; a file of none is opened if it has the searched name. */
  readonly ofFile?: (facts: ProjectFacts) => (file: string) => string | undefined;
  /** Returns whether a file is read with those that include it, and so does not load the project when opened alone. */
  readonly includedByOthers?: (facts: ProjectFacts) => (file: string) => boolean;
  /** Returns the files that it reads by themselves. Parts of these are opened under an alias. */
  readonly compiled?: (facts: ProjectFacts) => ReadonlySet<string>;
  /** Returns settings that it is sent before certain files, which cannot be understood alone. */
  readonly settingsOfFiles?: (facts: ProjectFacts) => SettingsOfFiles;
  /** The folders of certain files become its workspace folders instead of the root. */
  readonly workspaceFolders?: {
    /** The names of those files: `go.mod`. */
    readonly markers: readonly string[];
    /** The nearest folder above that contains one of these replaces all folders below it: `go.work`. */
    readonly unless: readonly string[];
    /** Returns whether the server is told by other means that all of them are one. */
    readonly areJoined?: (facts: ProjectFacts) => boolean;
    /** The doubt about a search for uses if there are several folders. */
    readonly doubtIfSeveral?: string;
  };
  /** The folder that is its root instead, absolute or relative to the root; it serves only files below it. */
  readonly rootFolder?: string;
  /** If it has just one workspace folder, that is its root. */
  readonly rootIsOnlyFolder?: boolean;
  /** Returns whether what it read or was told at its start is different now, unnoticed by it: it is restarted. */
  readonly isOutdated?: (facts: ProjectFacts) => boolean;
  /** Matches the paths of files that belong to a project as soon as one of its files imports them. No `g` flag. */
  readonly importedFiles?: RegExp;
  /** It loads a project only after one of the project's files is opened. */
  readonly loadsOnOpen?: boolean;
}

/** Which documents must be opened so that the server knows their texts, and when it has read them. */
export interface SyncFacts {
  /** The questions that it answers correctly about documents that are not open. */
  readonly answersUnopened?: readonly Service[];
  /** It never reads a closed file again: changed files are opened, and open ones are reopened. */
  readonly readsOnlyOpen?: boolean;
  /** Created files are opened rather than announced, because the server notices them late. */
  readonly opensCreated?: boolean;
  /** Like `opensCreated`, but for changed files. */
  readonly opensChanged?: boolean;
  /** It publishes the diagnostics of a version once it has read it: questions wait for those of all texts. */
  readonly publishesWhenRead?: boolean;
  /** Its search for symbols knows the texts only as it read them for another question. */
  readonly searchesReadTexts?: true;
  /** Matches the paths of files that others include: they are opened before the others. No `g` flag. */
  readonly headers?: RegExp;
  /** Sources that others seldom include: the change of one that nobody includes concerns no other document. */
  readonly sources?: SourceFacts;
}

/** What may change in a source so that only its own document is to be sent, and by a change. */
export interface SourceFacts {
  /** Matches the paths of sources. No `g` flag. */
  readonly files: RegExp;
  /** Returns the beginning of a text whose change makes the server read again what the text includes, late. */
  readonly head: (text: string) => string;
}

/** Files that the server reads from the disk, regardless of the texts that it was sent. */
export interface DiskFacts {
  readonly imports?: ImportsFromDisk;
  /** Matches texts whose symbols other files see only by importing them. No `g` flag. */
  readonly visibleOnlyByImport?: RegExp;
  /** Matches texts to which other files may refer, such as schemas. No `g` flag. */
  readonly referencedTexts?: RegExp;
  /** Matches the names of files in other languages that its own files may use. Default: every name. No `g` flag. */
  readonly otherLanguages?: RegExp;
  /** Globs of its configuration files, besides those that mark a project. */
  readonly configFiles?: readonly string[];
}

/** How to query the server's searches for symbols, uses and implementations, and what they omit. */
export interface SearchFacts {
  /** Converts the query of a symbol search to the server's syntax. Default: the query as given. */
  readonly symbolQuery?: (query: string) => string;
  /** The largest number of symbols that a workspace search returns, even if there are more. */
  readonly symbolCap?: number;
  /** The largest number of files that a search for the uses of a name reads, and of those with the name that it searches. */
  readonly fileCap?: { readonly read: number; readonly mentioning: number };
  readonly exportedUnderAnyName?: ExportedUnderAnyName;
  readonly unreported?: UnreportedUses;
  /** Matches the text after a use where an alias ends the search; its only group, at the end, is the alias. */
  readonly alias?: RegExp;
  /** Returns whether a search that begins in `from` leaves out `file`, even if that is open. */
  readonly excludes?: (facts: ProjectFacts) => (file: string, from: string) => boolean;
  /** The questions that it searches only in the project of the given file, even if it knows others. */
  readonly projectOnly?: readonly Service[];
  /** It reports only direct implementations, and not what implements or extends those. */
  readonly directImplementationsOnly?: true;
}

/** How the server's edits are read, and which of its commands may be sent. */
export interface EditFacts {
  /** A rename stops at an import or export, where it adds an alias: `old as new`. */
  readonly renamesByAlias?: true;
  /** Its edits may contain columns beyond a line break, which mean the next line. */
  readonly columnsBeyondLineEnd?: true;
  /** The names of its commands that only request edits. No other command is ever sent. */
  readonly commands?: readonly string[];
  /** Commands that return the edit of another command without its side effects, by the name of the other. */
  readonly replacedCommands?: Readonly<Record<string, Substitute>>;
}

/** Where the server deviates from LSP, or extends it. */
interface Quirks {
  readonly relays?: readonly Relay[];
  /** It counts the byte order mark of files that it reads itself as the first column. */
  readonly countsByteOrderMark?: true;
  /** Commands that replace the request of a question, because the request's answer omits something. */
  readonly questionCommands?: Partial<Readonly<Record<QuestionKind, Substitute>>>;
  /** Matches the paths of files that it makes from the sources: uses in them are no uses, and edits of them are left out. */
  readonly generatedFiles?: RegExp;
  /** Matches the error that means "no symbol at this position", where other servers answer with nothing. */
  readonly noSymbolMessage?: RegExp;
}

/**
 * Facts that a server looks up on the disk, although it was sent the text of a file. 'texts': the texts of all
 * files but the one in question. For a new file, 'files': whether it can be imported; 'projects': whether it
 * belongs to a project; 'folders': only whether its folder exists, and which files to offer in a path.
 */
type ImportsFromDisk = 'texts' | 'files' | 'projects' | 'folders';

/** A place to look for a server's program; the sources of a definition are tried in order. */
export type ProgramSource =
  /**
   * A file of an npm package in lspan's installation, run by Node or as a native program.
   * `name` and `file` may contain `${platform}`, `${arch}` and `${exe}` (`.exe` on Windows, otherwise empty).
   */
  | {
      readonly kind: 'package';
      readonly name: string;
      readonly file: string;
      readonly run: 'node' | 'native';
      /** The package that depends on `name`. Default: lspan's own. */
      readonly via?: string;
      /** It ships with lspan: it is missing only if lspan's package is. */
      readonly ships?: true;
    }
  /** A program in PATH outside the workspace; skipped if it links to `proxy` there, which may lack it. */
  | { readonly kind: 'path'; readonly name: string; readonly proxy?: string }
  /** A program below the user's home; a folder named `*` is any, last name first: `.rustup/toolchains/*`. */
  | { readonly kind: 'home'; readonly folder: string; readonly name: string }
  /** The user's command: a program (a name in PATH, or an absolute path) and arguments before `args`. */
  | { readonly kind: 'command'; readonly command: readonly string[] };

/** How a server signals that it has loaded the project. */
export type ReadySignal =
  /** It answers correctly from the first question. */
  | { readonly kind: 'immediate' }
  /** The end of a `$/progress` with a matching title; with `orPublication`, also the first diagnostics. */
  | {
      readonly kind: 'progress';
      readonly title: RegExp;
      readonly orPublication?: boolean;
      /** Its progresses run in sequence, and it may not report the end of one. It answers nothing until then. */
      readonly inTurn?: true;
      /** It may have nothing to load; it is then ready without any message. */
      readonly orSilence?: true;
      /** Diagnostics before the end are preliminary; it publishes all again afterwards. */
      readonly republishes?: true;
      /** Title and text, as `title: text`, of a progress that reports an error. */
      readonly trouble?: RegExp;
      /** Returns such an error in words of the user's own files. */
      readonly reworded?: (error: string) => string;
    }
  /** A `window/logMessage` with a matching text. */
  | { readonly kind: 'log'; readonly message: RegExp }
  /** A dynamic registration, such as one for watched files, which it sends last. */
  | { readonly kind: 'registration' }
  /** A custom notification. */
  | {
      readonly kind: 'notification';
      readonly method: string;
      /** Returns `undefined` if the notification is about something else. */
      readonly ready: (params: unknown) => boolean | undefined;
      /** Returns the server's description of its current activity. */
      readonly doing?: (params: unknown) => string | undefined;
      /** Returns the error that the server reports, in its own words. */
      readonly trouble?: (params: unknown) => string | undefined;
    }
  /** The answer to a custom request, sent again after every message; a refusal counts as `unknown`. */
  | {
      readonly kind: 'request';
      readonly method: string;
      readonly params?: unknown;
      readonly ready: (result: unknown) => boolean;
      /** Number of consecutive answers that must say so. Default 1. */
      readonly times?: number;
    }
  /** No signal: an empty answer is retried, and still has a doubt. */
  | { readonly kind: 'unknown' };
