import type { LogLevel } from '../core/log.ts';
import type {
  DiagnosticsFacts,
  FileFacts,
  ProjectRules,
  SearchFacts,
  ServerDefinition,
  ServerProgram,
  SyncFacts,
} from '../servers/definition.ts';

/** What a definition holds that the user's value simply replaces. */
type Replaced = Pick<ServerDefinition, 'answers' | 'group' | 'install' | 'rank' | 'ready'> &
  Pick<ServerProgram, 'args' | 'childDied' | 'initializeTimeout' | 'memory' | 'startAttempts'> &
  Pick<FileFacts, 'onlyBelow' | 'restartsOn' | 'watchAlso' | 'writes'> &
  Pick<ProjectRules, 'loadsOnOpen'> &
  Pick<SyncFacts, 'answersUnopened' | 'opensCreated' | 'publishesWhenRead' | 'readsOnlyOpen'> &
  Pick<SearchFacts, 'symbolCap'> &
  Pick<DiagnosticsFacts, 'checksFilesAlone'>;

/** A server as the user's configuration names or changes it. */
export interface ConfiguredServer extends Readonly<{ [K in keyof Replaced]?: Replaced[K] | undefined }> {
  readonly id: string;
  readonly enabled?: boolean | undefined;
  /** Program and arguments; a definition of ours with this id keeps its own when absent. */
  readonly command?: readonly string[] | undefined;
  /** Without dots: in place of ours, or with their language ids, merged with ours. */
  readonly extensions?: readonly string[] | Readonly<Record<string, string>> | undefined;
  readonly languageId?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly initializationOptions?: unknown;
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  readonly clientCapabilities?: Readonly<Record<string, unknown>> | undefined;
  readonly start?: 'early' | 'on_demand' | undefined;
  readonly timeouts?: ServerDefinition['timeouts'] | undefined;
  readonly onlyBeside?: FileFacts['onlyWithExtensions'] | undefined;
  readonly sees?: FileFacts['importedExtensions'] | undefined;
  readonly diagnosticsQuiet?: DiagnosticsFacts['quiet'] | undefined;
  readonly projectMarkers?: readonly string[] | undefined;
  readonly libraryFolders?: readonly string[] | undefined;
  readonly workspaceFolders?:
    | { readonly markers?: readonly string[] | undefined; readonly unless?: readonly string[] | undefined }
    | undefined;
}

/** How answers are carried: see the documentation of `--output`. */
export type OutputMode = 'auto' | 'text' | 'structured' | 'both';

/** The bounds that a user may set. Times are milliseconds, sizes are bytes. */
export interface ConfiguredLimits {
  /** As many servers as may run at once. */
  readonly running: number;
  /** The time without a question after which one is stopped. */
  readonly idle: number;
  /** The memory of one and all that it started. */
  readonly memory: number;
  /** The time of a call that may pass until a server has loaded the project. */
  readonly readiness: number;
  /** The time to wait for problems from a server that is ready. */
  readonly diagnostics: number;
  /** The same from one that is not known to be. */
  readonly diagnosticsCold: number;
  /** The largest file that is read. */
  readonly document: number;
  /** As many results as an answer lists. */
  readonly page: number;
  /** All answers that are kept for when the same is asked again; 0 keeps none. */
  readonly answers: number;
}

/** The servers that are asked about files of a glob, the preferred first. */
export interface FileRule {
  readonly glob: string;
  readonly servers: readonly string[];
}

/** One place that sets something. */
export interface ConfigSource {
  readonly kind: 'user' | 'repository' | 'flag';
  /** For people: `user file /home/me/.config/lspan/config.toml`, `flag --output`. */
  readonly name: string;
  /** What it sets, by the names of the user's file. */
  readonly keys: Readonly<Record<string, unknown>>;
}

/** The configuration in effect: the user's file, then the inert keys of the repository's. */
export interface Config {
  /** The user's file that was read, for messages; none where nobody wrote one. */
  readonly userFile?: string;
  /** Who set what, the weakest first. */
  readonly sources: readonly ConfigSource[];
  readonly servers: readonly ConfiguredServer[];
  readonly disabledServers: readonly string[];
  /** The first that matches a file decides. */
  readonly files: readonly FileRule[];
  readonly output: OutputMode;
  readonly toolsets: readonly string[];
  readonly readOnly: boolean;
  readonly logLevel: LogLevel;
  readonly logFormat: 'human' | 'json';
  /** Milliseconds. */
  readonly deadline: number;
  /** Milliseconds, by the name of a tool. */
  readonly deadlines: Readonly<Record<string, number>>;
  readonly maxTokens: number;
  readonly limits: ConfiguredLimits;
  /** Whether identical questions in flight are asked once; only a measurement says no. */
  readonly cache: { readonly share: boolean };
  /** Extra ignore patterns. */
  readonly exclude: readonly string[];
  /** What was ignored and why, to be logged and told by the status. */
  readonly warnings: readonly string[];
}
