import type { Doubt } from '../../core/doubts.ts';
import type { QuestionKind } from '../../core/questions.ts';
import type { Json } from './json.ts';

/** What can be asked of a server beside the questions of the vocabulary. */
export type Service = QuestionKind | 'diagnostics';

/** How a server tells that it has loaded the project. */
export type ReadySignal =
  /** It answers correctly from the first question on. */
  | { readonly kind: 'immediate' }
  /** The end of a `$/progress` whose title matches; or, where it skips that, the first problems that it publishes. */
  | { readonly kind: 'progress'; readonly title: RegExp; readonly orPublication?: boolean }
  /** A `window/logMessage` whose text matches. */
  | { readonly kind: 'log'; readonly message: RegExp }
  /** A custom notification with a parameter that tells. */
  | { readonly kind: 'notification'; readonly method: string; readonly ready: (params: unknown) => boolean }
  /** It never tells: an empty answer is retried, and is doubtful even then. */
  | { readonly kind: 'unknown' };

/** Facts about the workspace that a definition's hooks may need; no hook touches the disk otherwise. */
export interface ProjectFacts {
  readonly root: string;
  /** Whether a path exists, by real path. */
  readonly exists: (path: string) => boolean;
  /** The names in a folder; empty where there is none. */
  readonly list: (path: string) => readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether the user has trusted the content of the root; only then may a server run what the repository holds. */
  readonly trusted: boolean;
  /** Makes a folder outside the workspace, of this root's own, for what a server would else write into the tree. */
  readonly cache: (name: string) => string;
  /** A file of a package that lspan's own installation holds. */
  readonly ownFile: (packageName: string, file: string) => string | undefined;
}

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
    }
  /** A program in PATH, outside the workspace. */
  | { readonly kind: 'path'; readonly name: string }
  /** What the user named: a program (a name in PATH, or an absolute path) and arguments that come before `args`. */
  | { readonly kind: 'command'; readonly command: readonly string[] };

/** Reads a file of the workspace; `undefined` where there is none. */
export type ReadText = (path: string) => Promise<string | undefined>;

/** One project of a server and the files that belong to it. */
export interface Membership {
  readonly id: string;
  readonly includes: (file: string) => boolean;
}

/** What lspan knows about one language server: data, and small hooks. */
export interface ServerDefinition {
  readonly id: string;
  /**
   * The LSP language id of each file extension that it serves, without the dot: `{ ts: 'typescript' }`. A whole name
   * (`go.mod`, `Dockerfile`) and a first part (`Dockerfile.*`) may stand there too, and win over the extension.
   */
  readonly extensions: Readonly<Record<string, string>>;
  readonly program: readonly ProgramSource[];
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Questions that it answers; everything it is capable of when absent. */
  readonly answers?: readonly Service[];
  /** Servers of one group do the same job: of those that are installed, only the one of the highest rank answers. */
  readonly group?: string;
  /** The higher is preferred; 0 when absent. */
  readonly rank?: number;
  /** It serves only files below a folder that holds one of these, by name: `biome.json`. */
  readonly onlyBelow?: readonly string[];
  /** What it would run of the repository, as the object of a sentence; it is not started while that is not trusted. */
  readonly needsTrust?: string;
  /** Files of the repository, by glob relative to the root, that decide what it runs: trust is bound to their content. */
  readonly trustBinds?: readonly string[];
  /** Standing reasons why what it searches or checks may be incomplete, such as what is withheld without trust. */
  readonly doubts?: (facts: ProjectFacts) => readonly Omit<Doubt, 'server'>[];
  /** Started with lspan rather than with the first call. */
  readonly startsEarly?: boolean;
  readonly initializationOptions?: (facts: ProjectFacts) => unknown;
  /** Answers to `workspace/configuration` by section; the section '' is the whole. */
  readonly settings?: (facts: ProjectFacts) => Readonly<Record<string, unknown>>;
  /** Client capabilities beside those that every server is told, such as one that turns its readiness signal on. */
  readonly clientCapabilities?: Json;
  /** How a search for symbols is worded for it; as given when absent. */
  readonly symbolQuery?: (query: string) => string;
  readonly ready: ReadySignal;
  /** A log message that means that the server's own child has died, although the server lives. */
  readonly childDied?: RegExp;
  readonly initializeTimeout?: number;
  /** Milliseconds, by question; the call's own deadline when absent. */
  readonly timeouts?: Partial<Record<Service, number>>;
  /** How long to listen on after it published problems, where it does so in several steps. */
  readonly diagnosticsQuiet?: number;
  /** Files that mark the folder of a project, the nearest above a file counting: `tsconfig.json`. */
  readonly projectMarkers?: readonly string[];
  /** The projects that a marker describes, given a way to read configuration; one with all below it when absent. */
  readonly projects?: (marker: string, read: ReadText) => Promise<readonly Membership[]>;
  /** As many symbols as a search of the workspace gives at most, whether or not there are more. */
  readonly symbolCap?: number;
  /** Files, by glob relative to the root, after whose change the server no longer knows its libraries and starts anew. */
  readonly restartsOn?: readonly string[];
  /** It knows a project only after one of its files was opened. */
  readonly loadsOnOpen?: boolean;
  /** What it answers rightly about documents that are not open. */
  readonly answersUnopened?: readonly Service[];
  /** Created files are opened rather than announced, because the server notices them late. */
  readonly opensCreated?: boolean;
  /** Globs, relative to the root, to watch though they are ignored. */
  readonly watchAlso?: readonly string[];
  /** Folders outside the workspace whose sources may be shown, given where the program is. */
  readonly libraryRoots?: (program: string, facts: ProjectFacts) => readonly string[];
  /** Exit codes after a clean shutdown that are no crash, beside 0. */
  readonly cleanExitCodes?: readonly number[];
  /** What it writes into the tree, for the status. */
  readonly writes?: readonly string[];
  /** Written from its documentation, and never run against the real server. */
  readonly untested?: true;
  readonly install: string;
}
