import type { ServerDefinition } from '../backends/lsp/server-definition.ts';
import type { LogLevel } from '../core/log.ts';

/** A server as the user's configuration names or changes it. */
export interface ConfiguredServer {
  readonly id: string;
  /** Program and arguments; a definition of ours with this id keeps its own when absent. */
  readonly command?: readonly string[];
  /** Without dots. */
  readonly extensions?: readonly string[];
  readonly languageId?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly initializationOptions?: unknown;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly enabled?: boolean;
  readonly start?: 'early' | 'on_demand';
  readonly initializeTimeout?: number;
}

/** How answers are carried: see the documentation of `--output`. */
export type OutputMode = 'auto' | 'text' | 'structured' | 'both';

/** The configuration in effect: the user's file, then the inert keys of the repository's. */
export interface Config {
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
  /** Extra ignore patterns. */
  readonly exclude: readonly string[];
  /** What was ignored and why, to be logged and told by the status. */
  readonly warnings: readonly string[];
}

/** Joins the built-in definitions with what the user set. */
export type Definitions = (builtIn: readonly ServerDefinition[], config: Config) => readonly ServerDefinition[];
