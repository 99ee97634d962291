import type { OutputMode } from '../config/config.ts';
import type { Doubt } from '../core/doubts.ts';
import type { McpTransport } from '../frontends/mcp/mcp-transport.ts';
import type { HostProblem } from '../tools/host/diagnostic-line.ts';
import type { HostServer, KnownProblems } from '../tools/host/host-api.ts';
import type { ToolCalls } from './from-schemas/tool-calls.ts';

/** The name of a tool. */
export type ToolName = keyof ToolCalls;

/** Arguments of a tool. */
export type ToolArgs<N extends ToolName> = ToolCalls[N]['args'];

/** Data that a tool returns. */
export type ToolData<N extends ToolName> = ToolCalls[N]['data'];

/** An answer of a tool, as text for a model and as data. */
export interface ToolAnswer<D> {
  /** The answer as a model would see it. */
  readonly text: string;
  /** The answer as data; lines and characters are 1-based. */
  readonly data: D;
  /** Reasons why the answer may be incomplete; empty if it is complete. */
  readonly doubts: readonly Doubt[];
}

/** Description of a tool, as for a model. */
export interface ToolDescription {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown };
  /** JSON Schema of the data, or of `{ error }` instead. */
  readonly outputSchema: { readonly type: 'object'; readonly [key: string]: unknown };
  /** The kind of change that it makes; `as_given` if that depends on the arguments. */
  readonly effects: 'none' | 'servers' | 'files' | 'as_given';
}

/** Options of one call. */
export interface AskOptions {
  /** Cancels the call, which then rejects with the code `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Called with a sentence that says what a longer call is waiting for. */
  readonly onProgress?: ((message: string) => void) | undefined;
}

/** Like `AskOptions`, for checking a file. */
export interface CheckOptions extends AskOptions {
  /** Text to check instead of the file on disk, for this call only. */
  readonly text?: string | undefined;
}

/** Options of `serve`. */
export interface ServeOptions {
  /** Names and form in which the tools are offered. Default `lspan`. */
  readonly surface?: 'lspan' | 'codeflow' | 'pathfinder' | 'gateway' | 'llxprt' | undefined;
  /** Form of the answers. Default: the configured one. */
  readonly output?: OutputMode | undefined;
  /** Toolsets whose tools are listed, or `all`. Default: the configured ones. */
  readonly toolsets?: readonly string[] | undefined;
}

/** Diagnostics of one file. */
export interface FileDiagnostics {
  /** Path as shown in answers: relative to its workspace folder. */
  readonly file: string;
  /** In order of position; a problem that several servers report is listed once. */
  readonly diagnostics: readonly HostProblem[];
  /** True if there are certainly no further problems. */
  readonly complete: boolean;
  /** Reasons why there may be further problems. */
  readonly doubts: readonly Doubt[];
}

/**
 * lspan embedded in another program. Every failure rejects with an `LspanError`: its code says why, its next step says
 * what helps.
 */
export interface EmbeddedBridge {
  /** Every tool that can be called. */
  readonly tools: readonly ToolDescription[];
  /** Calls a tool by a name that is known only at run time, such as one that a model chose. */
  call<N extends string>(
    name: string extends N ? N : never,
    args: Readonly<Record<string, unknown>>,
    options?: AskOptions,
  ): Promise<ToolAnswer<Readonly<Record<string, unknown>>>>;
  /** Calls a tool. The first call that needs a server starts it. */
  call<N extends ToolName>(
    name: N,
    args: ToolArgs<N>,
    options?: AskOptions,
  ): Promise<ToolAnswer<ToolData<N>>>;
  /**
   * Serves MCP on a transport until it is closed; resolves when it has started. Several transports may be served at once;
   * they share plans and cursors with each other and with `call`.
   */
  serve(transport: McpTransport, options?: ServeOptions): Promise<void>;
  /** Returns the problems of a file: of the given text, else of the unsaved text from `hold`, else of the disk. */
  diagnostics(file: string, options?: CheckOptions): Promise<FileDiagnostics>;
  /** Returns the problems of all files that servers have reported on. */
  diagnostics(options?: AskOptions): Promise<KnownProblems>;
  /**
   * Calls a listener when the problems of a file may have changed, with the path as shown in answers, or without a path
   * if any file may be affected. Returns a function that removes the listener.
   */
  onDiagnostics(listener: (file?: string) => void): () => void;
  /**
   * Uses an unsaved text as the content of a file in every question from now on; `null` uses the disk again. Until then
   * lspan does not change that file.
   */
  hold(file: string, text: string | null): void;
  /** Returns the state of the language servers. */
  status(options?: AskOptions): Promise<readonly HostServer[]>;
  /** Cancels all calls in progress (code `cancelled`), closes the served transports and stops every server. */
  close(): Promise<void>;
  /** Like `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
