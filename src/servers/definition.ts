import type { Doubt } from '../core/doubts.ts';
import type { QuestionKind } from '../core/questions.ts';
import type { Json } from '../core/runtime/json.ts';

/** A question of the vocabulary, or diagnostics. */
export type Service = QuestionKind | 'diagnostics';

/** Facts about the workspace that a definition's hooks may need; no hook touches the disk otherwise. */
export interface ProjectFacts {
  readonly root: string;
  /** Whether a path exists, by real path. */
  readonly exists: (path: string) => boolean;
  /** The names in a folder; empty where there is none. */
  readonly list: (path: string) => readonly string[];
  /** The names of the folders in a folder, links not among them; empty where it cannot be read. */
  readonly folders: (path: string) => readonly string[];
  /** The text of a small file; `undefined` where it cannot be read. */
  readonly read: (path: string) => string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether the user has trusted the content of the root; only then may a server run what the repository holds. */
  readonly trusted: boolean;
  /**
   * Makes a folder outside the workspace, of this root's own, for what a server would else write into the tree,
   * and puts links and small files into it, by relative path.
   */
  readonly cache: (name: string, content?: Readonly<Record<string, CacheEntry>>) => string;
  /** Makes a folder with a short path that lives as long as this run of the server, as for its sockets. */
  readonly temporary: () => string;
  /** A file of a package that lspan's own installation holds. */
  readonly ownFile: (packageName: string, file: string) => string | undefined;
}

/** What a definition has put into a folder of the cache: a link to an existing path, a program, or a file to read. */
export type CacheEntry = { readonly link: string } | { readonly program: string } | { readonly text: string };

/** Reads a file of the workspace; `undefined` where there is none. */
export type ReadText = (path: string) => Promise<string | undefined>;

/** One project of a server and the files that belong to it. */
export interface Membership {
  readonly id: string;
  readonly includes: (file: string) => boolean;
}

/** Uses that a server does not find when it searches, though it knows what is meant when it is asked there. */
interface UnreportedUses {
  /** The object of a sentence. */
  readonly what: string;
  /** Which files hold such uses, by their paths and by what is in them. No `g` flags. */
  readonly files: RegExp;
  readonly texts: RegExp;
}

/** What stands beside a use that lets other files use the symbol under any name, as a default export. No `g` flags. */
export interface ExportedUnderAnyName {
  readonly before: RegExp;
  readonly after: RegExp;
}

/** Questions that a server has for another one: each comes as a notification, and so does the answer to it. */
export interface Relay {
  /** The notification that asks, with a list of an id, a command and its arguments. */
  readonly ask: string;
  /** The id of the server that knows the answer. */
  readonly to: string;
  /** The command under which that server takes a command with its arguments. */
  readonly command: string;
  /** The notification that answers, with a list of the id and what was answered. */
  readonly reply: string;
}

/** Whether a server could check a file at all. */
export interface FileVerdict {
  readonly uri: string;
  /** Why it could not, as the end of a sentence. */
  readonly failure?: string;
}

/** A command that tells the same as a question, where the server's usual answer leaves things out. */
export interface Substitute {
  readonly command: string;
  readonly arguments: (params: Json) => readonly unknown[];
  /** What the usual request would have been answered with. */
  readonly answer: (raw: unknown) => unknown;
}

/** What lspan knows about one language server: data, and small hooks, grouped by what they are about. */
export interface ServerDefinition {
  readonly id: string;
  /**
   * The LSP language id of each file extension that it serves, without the dot: `{ ts: 'typescript' }`. A whole name
   * (`go.mod`, `Dockerfile`) and a first part (`Dockerfile.*`) may stand there too, and win over the extension.
   */
  readonly extensions: Readonly<Record<string, string>>;
  /** Servers of one group do the same job: of those that are installed, only the one of the highest rank answers. */
  readonly group?: string;
  /** The higher is preferred; 0 when absent. */
  readonly rank?: number;
  /** Questions that it answers; everything it is capable of when absent. */
  readonly answers?: readonly Service[];
  /** Milliseconds, by question; the call's own deadline when absent. */
  readonly timeouts?: Partial<Record<Service, number>>;
  readonly ready: ReadySignal | ((facts: ProjectFacts) => ReadySignal);
  /** Standing reasons why what it searches or checks may be incomplete, such as what is withheld without trust. */
  readonly doubts?: (facts: ProjectFacts, service: Service) => readonly Omit<Doubt, 'server'>[];
  readonly program: ServerProgram;
  readonly handshake?: HandshakeFacts;
  readonly trust?: TrustFacts;
  readonly files?: FileFacts;
  readonly projects?: ProjectRules;
  readonly sync?: SyncFacts;
  readonly disk?: DiskFacts;
  readonly search?: SearchFacts;
  readonly edits?: EditFacts;
  readonly diagnostics?: DiagnosticsFacts;
  readonly quirks?: Quirks;
  /** Written from its documentation, and never run against the real server. */
  readonly untested?: true;
  readonly install: string;
}

/** How its program is found, started and limited. */
export interface ServerProgram {
  readonly sources: readonly ProgramSource[];
  readonly args: readonly string[];
  /** Arguments that depend on the root, after `args`: a folder of lspan's own for what the server keeps. */
  readonly rootArgs?: (facts: ProjectFacts) => readonly string[];
  /** The folder in which it is started, where that matters to what it runs or reads; the root when absent. */
  readonly workingFolder?: (facts: ProjectFacts) => string;
  readonly env?: Readonly<Record<string, string>>;
  /** Variables whose values depend on the root; `env` goes above them. */
  readonly rootEnv?: (facts: ProjectFacts, program: string) => Readonly<Record<string, string>>;
  /** Started with lspan rather than with the first call. */
  readonly startsEarly?: boolean;
  /** How often it is started before that counts as a failure, where it may end at once though nothing is wrong. */
  readonly startAttempts?: number;
  readonly initializeTimeout?: number;
  /** Bytes of memory that it and all that it started may take; the configured limit when absent. */
  readonly memory?: number;
  /** A log message that means that the server's own child has died, although the server lives. */
  readonly childDied?: RegExp;
}

/** What it is told by `initialize`, and when it asks for its settings. */
export interface HandshakeFacts {
  readonly initializationOptions?: (facts: ProjectFacts, program: string) => unknown;
  /** Answers to `workspace/configuration` by section; the section '' is the whole. */
  readonly settings?: (facts: ProjectFacts, program: string) => Readonly<Record<string, unknown>>;
  /** Client capabilities beside those that every server is told, such as one that turns its readiness signal on. */
  readonly clientCapabilities?: Json;
}

/** What it would run of the repository, and what the user's trust in that is bound to. */
interface TrustFacts {
  /** What it would run, as the object of a sentence; it is not started while that is not trusted. */
  readonly runs?: string;
  /** What it answers rightly without trust all the same, and then runs nothing. */
  readonly answersWithout?: readonly Service[];
  /** Files of the repository, by glob relative to the root, that decide what it runs: trust is bound to their content. */
  readonly boundTo?: readonly string[];
}

/** Where it is of use, and which files beside those of its languages concern it. */
export interface FileFacts {
  /** It serves only files below a folder that holds one of these, by name: `biome.json`. */
  readonly onlyBelow?: readonly string[];
  /** It serves only roots that hold files of one of these extensions, without the dot: `vue`. */
  readonly onlyWithExtensions?: readonly string[];
  /** Extensions of files that its own ones use, while the servers of those do not see its own. */
  readonly importedExtensions?: readonly string[];
  /** Globs, relative to the root, to watch though they are ignored. */
  readonly watchAlso?: readonly string[];
  /** Files, by glob relative to the root, after whose change the server no longer knows its libraries and starts anew. */
  readonly restartsOn?: readonly string[];
  /** Folders outside the workspace whose sources may be shown, given where the program is. */
  readonly libraryRoots?: (program: string, facts: ProjectFacts) => readonly string[];
  /** What it writes into the tree, for the status. */
  readonly writes?: readonly string[];
}

/** How files belong to projects, and when it knows of a project. */
export interface ProjectRules {
  /** Files that mark the folder of a project, the nearest above a file counting: `tsconfig.json`. */
  readonly markers?: readonly string[];
  /** The projects that a marker describes, given a way to read configuration; one with all below it when absent. */
  readonly ofMarker?: (marker: string, read: ReadText) => Promise<readonly Membership[]>;
  /** The project of a file, where markers do not tell; a file of none is opened when it mentions what is searched for. */
  readonly ofFile?: (facts: ProjectFacts) => (file: string) => string | undefined;
  /** The folders of some files are told as its workspace folders instead of the root. */
  readonly workspaceFolders?: {
    /** By name: `go.mod`. */
    readonly markers: readonly string[];
    /** A folder above that holds one of these stands for all below it, the nearest counting: `go.work`. */
    readonly unless: readonly string[];
    /** What is doubtful in a search for uses where they are several. */
    readonly doubtIfSeveral?: string;
  };
  /** It knows a project only after one of its files was opened. */
  readonly loadsOnOpen?: boolean;
}

/** Which documents must be opened for it to know their texts, and when it has read them. */
export interface SyncFacts {
  /** What it answers rightly about documents that are not open. */
  readonly answersUnopened?: readonly Service[];
  /** It never looks again at a file that is not open: files that changed are opened, and open ones are opened anew. */
  readonly readsOnlyOpen?: boolean;
  /** Created files are opened rather than announced, because the server notices them late. */
  readonly opensCreated?: boolean;
  /** Like `opensCreated`, but for files that changed. */
  readonly opensChanged?: boolean;
  /** It has read a text when it has published the problems of that version: questions wait until it has for all. */
  readonly publishesWhenRead?: boolean;
  /** Files that others include, by path: they are opened before the others. No `g` flag. */
  readonly headers?: RegExp;
}

/** What it reads on the disk, whatever texts it was sent. */
export interface DiskFacts {
  readonly imports?: ImportsFromDisk;
  /** Texts of which others see nothing unless they import them, by what stands in them. No `g` flag. */
  readonly visibleOnlyByImport?: RegExp;
  /** Texts that files of others refer to, as schemas, by what stands in them. No `g` flag. */
  readonly referencedTexts?: RegExp;
  /** Which files of other languages its own may use, by name. Any, when absent. No `g` flag. */
  readonly otherLanguages?: RegExp;
  /** Its configuration, by glob, beside the files that mark a project. */
  readonly configFiles?: readonly string[];
}

/** What its searches for symbols, uses and implementations leave out. */
export interface SearchFacts {
  /** How a search for symbols is worded for it; as given when absent. */
  readonly symbolQuery?: (query: string) => string;
  /** As many symbols as a search of the workspace gives at most, whether or not there are more. */
  readonly symbolCap?: number;
  /** As many files that mention a name as a search for its uses reads, whether or not there are more. */
  readonly fileCap?: number;
  readonly exportedUnderAnyName?: ExportedUnderAnyName;
  readonly unreported?: UnreportedUses;
  /** What follows a use that gives the symbol another name, its only group and end, where a search stops there. */
  readonly alias?: RegExp;
  /** Whether it leaves a file out of searches that begin in another, even when that file is open. */
  readonly excludes?: (facts: ProjectFacts) => (file: string, from: string) => boolean;
  /** What it searches for only in the project of the file that it was asked about, whatever else it knows. */
  readonly projectOnly?: readonly Service[];
  /** It tells only who implements something directly, and not who implements or extends those. */
  readonly directImplementationsOnly?: true;
}

/** How its edits are read, and which commands may be sent for them. */
interface EditFacts {
  /** A rename that meets an import or an export ends there, by a second name: `old as new`. */
  readonly renamesByAlias?: true;
  /** Its edits may name columns beyond a line break, which mean the line after it. */
  readonly columnsBeyondLineEnd?: true;
  /** Commands that run, fetch or show something beside their edits: they are never sent. No `g` flag. */
  readonly unsafeCommands?: RegExp;
  /** Commands that give the edit of another one, where that one would also do something else. */
  readonly replacedCommands?: Readonly<Record<string, Substitute>>;
}

/** How it checks files, and what its publications mean. */
export interface DiagnosticsFacts {
  /** Reads a message that tells whether it could check a file, where its report of no problems does not. */
  readonly verdict?: (method: string, params: unknown) => FileVerdict | undefined;
  /** Whether a publication only takes back the one before, and tells nothing of the present text. */
  readonly isRetraction?: (params: unknown) => boolean;
  /** The problems that it publishes of a file depend on that file alone: a change elsewhere does not outdate them. */
  readonly checksFilesAlone?: boolean;
  /** How long to listen on after it published problems, where it does so in several steps. */
  readonly quiet?: number;
  /** How to learn that it has checked a file, where it publishes before it has, and may take long for the rest. */
  readonly checkCommand?: CheckCommand;
}

/** Where it departs from the protocol, or adds to it. */
interface Quirks {
  readonly relays?: readonly Relay[];
  /** It counts the byte order mark of files that it reads itself as the first column. */
  readonly countsByteOrderMark?: true;
  /** Commands that answer a question in place of its request. */
  readonly questionCommands?: Partial<Readonly<Record<QuestionKind, Substitute>>>;
  /** The message of an error by which it says that no symbol is at the place, where others answer with nothing. */
  readonly noSymbolMessage?: RegExp;
}

/**
 * What a server looks up on the disk, though it was sent the text of a file: the texts of all files but the one that it is
 * asked about; or, of a file that is not there whether it can be imported, whether it belongs to a project, or only
 * whether its folder is there, and which files to offer in a path.
 */
type ImportsFromDisk = 'texts' | 'files' | 'projects' | 'folders';

/** Where a server's program is looked for, in this order. */
export type ProgramSource =
  /**
   * A file of an npm package that lspan's installation holds, run by Node or by itself.
   * `name` and `file` may hold `${platform}`, `${arch}` and `${exe}` (`.exe` on Windows, else nothing).
   */
  | {
      readonly kind: 'package';
      readonly name: string;
      readonly file: string;
      readonly run: 'node' | 'native';
      /** The package whose dependency `name` is; lspan's own when absent. */
      readonly via?: string;
      /** It comes with lspan: where it is missing, lspan's package is. */
      readonly ships?: true;
    }
  /**
   * A program in PATH, outside the workspace. One that is `proxy` in the same folder under another name is passed by:
   * it stands for programs that may not be there.
   */
  | { readonly kind: 'path'; readonly name: string; readonly proxy?: string }
  /** A program below the user's home; a folder named `*` is any, the last by name first: `.rustup/toolchains/*`. */
  | { readonly kind: 'home'; readonly folder: string; readonly name: string }
  /** What the user named: a program (a name in PATH, or an absolute path) and arguments that come before `args`. */
  | { readonly kind: 'command'; readonly command: readonly string[] };

/** How a server signals that it has loaded the project. */
export type ReadySignal =
  /** It answers correctly from the first question. */
  | { readonly kind: 'immediate' }
  /** The end of a `$/progress` with a matching title; with `orPublication` also the first published diagnostics. */
  | {
      readonly kind: 'progress';
      readonly title: RegExp;
      readonly orPublication?: boolean;
      /** Its progresses run one after the other, and it may not report the end of one before the next begins. */
      readonly inTurn?: true;
      /** It may have nothing to load, and is then ready without any message. */
      readonly orSilence?: true;
      /** Diagnostics before the end are preliminary; it publishes all of them again afterwards. */
      readonly republishes?: true;
      /** Title of a progress that reports an error. */
      readonly trouble?: RegExp;
    }
  /** A `window/logMessage` with a matching text. */
  | { readonly kind: 'log'; readonly message: RegExp }
  /** Its registration for something such as watched files, which it does last. */
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
  /** The answer to a custom request, sent again after every message; a server that refuses it counts as `unknown`. */
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

/** A command whose answer comes only when the server has checked the present text of a file. */
export interface CheckCommand {
  readonly command: string;
  readonly arguments: (path: string) => readonly unknown[];
  /** Whether that is what an answer means; a server may also answer that it could not. */
  readonly proves: (answer: unknown) => boolean;
  /** Whether it says that nothing was found, after which a server need not publish nothing once more. */
  readonly foundNothing: (answer: unknown) => boolean;
}
