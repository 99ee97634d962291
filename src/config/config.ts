import type { LogLevel } from '../core/log.ts';

/** A server as the user's configuration names or changes it. */
export interface ConfiguredServer {
  readonly id: string;
  /** Program and arguments; a definition of ours with this id keeps its own when absent. */
  readonly command?: readonly string[] | undefined;
  /** Without dots. */
  readonly extensions?: readonly string[] | undefined;
  readonly languageId?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly initializationOptions?: unknown;
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  readonly enabled?: boolean | undefined;
  readonly start?: 'early' | 'on_demand' | undefined;
  readonly initializeTimeout?: number | undefined;
}

/** How answers are carried: see the documentation of `--output`. */
export type OutputMode = 'auto' | 'text' | 'structured' | 'both';

/** What the servers may take of the machine. */
export interface ServerLimits {
  /** As many as may run at once. */
  readonly running: number;
  /** Milliseconds without a question after which one is stopped. */
  readonly idle: number;
  /** Bytes of memory of one and all that it started. */
  readonly memory: number;
}

/** The configuration in effect: the user's file, then the inert keys of the repository's. */
export interface Config {
  /** The user's file that was read, for messages; none where nobody wrote one. */
  readonly userFile?: string;
  readonly servers: readonly ConfiguredServer[];
  readonly disabledServers: readonly string[];
  readonly output: OutputMode;
  readonly toolsets: readonly string[];
  readonly readOnly: boolean;
  readonly logLevel: LogLevel;
  readonly logFormat: 'human' | 'json';
  /** Milliseconds. */
  readonly deadline: number;
  readonly maxTokens: number;
  readonly limits: ServerLimits;
  /** Extra ignore patterns. */
  readonly exclude: readonly string[];
  /** What was ignored and why, to be logged and told by the status. */
  readonly warnings: readonly string[];
}
