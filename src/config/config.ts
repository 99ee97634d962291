import type { LogLevel } from '../core/log.ts';
import type {
  ConfineMode,
  EditFacts,
  FileFacts,
  ProjectRules,
  SearchFacts,
  ServerDefinition,
  ServerProgram,
  SyncFacts,
} from '../servers/definition.ts';
import type { DiagnosticsFacts } from '../servers/diagnostics-facts.ts';

/** Fields of a definition that the user's value simply replaces. */
type Replaced = Pick<ServerDefinition, 'answers' | 'group' | 'install' | 'isStatic' | 'rank' | 'ready'> &
  Pick<ServerProgram, 'args' | 'childDied' | 'initializeTimeout' | 'memory' | 'startAttempts'> &
  Pick<FileFacts, 'onlyBelow' | 'restartsOn' | 'watchAlso' | 'writes'> &
  Pick<ProjectRules, 'loadsOnOpen'> &
  Pick<SyncFacts, 'answersUnopened' | 'opensCreated' | 'publishesWhenRead' | 'readsOnlyOpen'> &
  Pick<SearchFacts, 'symbolCap'> &
  Pick<DiagnosticsFacts, 'checksFilesAlone'>;

/** A server that the user's configuration adds or changes. */
export interface ConfiguredServer extends Readonly<{ [K in keyof Replaced]?: Replaced[K] | undefined }> {
  readonly id: string;
  readonly enabled?: boolean | undefined;
  /** Program and arguments; when absent, a built-in definition with this id keeps its own. */
  readonly command?: readonly string[] | undefined;
  /** The words before the command that lead to where it runs. */
  readonly via?: readonly string[] | undefined;
  /** Folders here, and what they are where it runs. */
  readonly paths?: Readonly<Record<string, string>> | undefined;
  readonly shared?: boolean | undefined;
  /** Without dots. A list replaces the built-in one; a table with language ids is merged with it. */
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
  readonly editCommands?: EditFacts['commands'] | undefined;
  readonly diagnosticsQuiet?: DiagnosticsFacts['quiet'] | undefined;
  readonly projectMarkers?: readonly string[] | undefined;
  /** Absolute, or relative to the root. */
  readonly rootFolder?: ProjectRules['rootFolder'] | undefined;
  /** Like `rootFolder`. */
  readonly cwd?: string | undefined;
  readonly libraryFolders?: readonly string[] | undefined;
  readonly confine?: ConfineMode | undefined;
  readonly writableFolders?: readonly string[] | undefined;
  readonly workspaceFolders?:
    | { readonly markers?: readonly string[] | undefined; readonly unless?: readonly string[] | undefined }
    | undefined;
}

/** The form in which answers are sent; see the documentation of `--output`. */
export type OutputMode = 'auto' | 'text' | 'structured' | 'both';

/** Limits that a user may set. Times are milliseconds, sizes are bytes. */
export interface ConfiguredLimits {
  /** Servers that may run at once. */
  readonly running: number;
  /** Time without a question after which a server is stopped. */
  readonly idle: number;
  /** Memory of a server and all processes that it started. */
  readonly memory: number;
  /** Memory of all servers together; 0 is the default share of the machine's memory. */
  readonly memoryOfAll: number;
  /** Time of a call that may pass until a server has loaded the project. */
  readonly readiness: number;
  /** Time to wait for diagnostics from a server that is ready. */
  readonly diagnostics: number;
  /** Like `diagnostics`, for a server that is not known to be ready. */
  readonly diagnosticsCold: number;
  /** Size of the largest file that is read. */
  readonly document: number;
  /** Results that an answer lists at most. */
  readonly page: number;
  /** Total size of the cached answers; 0 disables the cache. */
  readonly answers: number;
}

/** Settings of `lspan serve`; a flag overrides each. */
export interface ConfiguredServe {
  readonly port: number;
  readonly host: '127.0.0.1' | '::1';
  readonly endpoint: string;
  readonly allowOrigins: readonly string[];
  readonly sessions: boolean;
  /** The only revision that is served. */
  readonly protocol: '2025-11-25' | undefined;
  readonly surface: string;
  readonly additionalRoots: readonly string[];
}

/** Where indexes of repositories are kept. */
export interface ConfiguredIndex {
  /** `embedded`, or the address of a PostgreSQL database, which may hold a password. */
  readonly store: string;
  /** Empty if the database decides. */
  readonly tenant: string;
}

/** The servers to ask about the files of a glob, the preferred first. */
interface FileRule {
  readonly glob: string;
  readonly servers: readonly string[];
}

/** A file or flag that sets configuration keys. */
export interface ConfigSource {
  readonly kind: 'user' | 'repository' | 'flag';
  /** For people: `user file /home/me/.config/lspan/config.toml`, `flag --output`. */
  readonly name: string;
  /** The keys that it sets, named as in the user's file. */
  readonly keys: Readonly<Record<string, unknown>>;
}

/** The configuration in effect: the user's file, narrowed by the inert keys of the repository's files. */
export interface Config {
  /** The user's file that was read, for messages; absent if there is none. */
  readonly userFile?: string;
  /** The sources of all values, the weakest first. */
  readonly sources: readonly ConfigSource[];
  readonly servers: readonly ConfiguredServer[];
  readonly disabledServers: readonly string[];
  /** The first rule that matches a file applies. */
  readonly files: readonly FileRule[];
  readonly output: OutputMode;
  readonly toolsets: readonly string[];
  readonly readOnly: boolean;
  /** True if one process serves all clients of the user. */
  readonly daemon: boolean;
  /** When language servers run in a sandbox, unless a server is configured otherwise. */
  readonly confine: ConfineMode;
  readonly logLevel: LogLevel;
  readonly logFormat: 'human' | 'json';
  /** Milliseconds. */
  readonly deadline: number;
  /** Milliseconds, by the name of a tool. */
  readonly deadlines: Readonly<Record<string, number>>;
  readonly maxTokens: number;
  readonly limits: ConfiguredLimits;
  readonly serve: ConfiguredServe;
  readonly index: ConfiguredIndex;
  /** `share`: identical questions in flight are sent once. Only benchmarks turn it off. */
  readonly cache: { readonly share: boolean };
  /** Additional ignore patterns. */
  readonly exclude: readonly string[];
  /** Ignored settings and the reasons, for the log and the status. */
  readonly warnings: readonly string[];
}
