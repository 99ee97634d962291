import type { OutputMode } from '../config/config.ts';
import type { Doubt } from '../core/doubts.ts';
import type { McpTransport } from '../frontends/mcp/mcp-transport.ts';
import type { HostProblem } from '../tools/host/diagnostic-line.ts';
import type { HostServer, KnownProblems } from '../tools/host/host-api.ts';
import type { ToolCalls } from './from-schemas/tool-calls.ts';

/** The name of a tool. */
export type ToolName = keyof ToolCalls;

/** What a tool is asked. */
export type ToolArgs<N extends ToolName> = ToolCalls[N]['args'];

/** What a tool answers, as data. */
export type ToolData<N extends ToolName> = ToolCalls[N]['data'];

/** An answer of a tool: the same as a text for a model, and as data. */
export interface ToolAnswer<D> {
  /** As a model would be shown it. */
  readonly text: string;
  /** The same for the program; lines and characters count from 1. */
  readonly data: D;
  /** Why the answer may be incomplete; none where it is complete. */
  readonly doubts: readonly Doubt[];
}

/** What a tool is, as a model would be told. */
export interface ToolDescription {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** A JSON Schema of its arguments. */
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown };
  /** A JSON Schema of the data that it answers, or of `{ error }` in its place. */
  readonly outputSchema: { readonly type: 'object'; readonly [key: string]: unknown };
  /** Whether it changes files or servers; `as_given` where that is up to what it is given. */
  readonly effects: 'none' | 'servers' | 'files' | 'as_given';
}

/** What may be set for one question. */
export interface AskOptions {
  /** Cancels the question, which then rejects with the code `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Is told what is being waited for, where it takes a while: a sentence. */
  readonly onProgress?: ((message: string) => void) | undefined;
}

/** The same where a file is checked. */
export interface CheckOptions extends AskOptions {
  /** A text to be checked instead of the one on the disk, for this question only. */
  readonly text?: string | undefined;
}

/** How MCP is served on a transport. */
export interface ServeOptions {
  /** Under which names and in which form tools are offered: `lspan` unless given. */
  readonly surface?: 'lspan' | 'codeflow' | 'pathfinder' | 'gateway' | 'llxprt' | undefined;
  /** How answers are carried; as the configuration says unless given. */
  readonly output?: OutputMode | undefined;
  /** The toolsets whose tools are listed, or `all`; as the configuration says unless given. */
  readonly toolsets?: readonly string[] | undefined;
}

/** The problems of one file. */
export interface FileDiagnostics {
  /** As answers show it: relative to its folder of the workspace. */
  readonly file: string;
  /** By where they stand; the same problem once, whichever servers tell of it. */
  readonly diagnostics: readonly HostProblem[];
  /** Whether there are certainly no more. */
  readonly complete: boolean;
  /** Why there may be more. */
  readonly doubts: readonly Doubt[];
}

/**
 * lspan within another program. Whatever cannot be done rejects with an `LspanError`, whose code says why and whose next
 * step says what helps.
 */
export interface EmbeddedBridge {
  /** Every tool that can be called. */
  readonly tools: readonly ToolDescription[];
  /** Calls a tool by a name that is known only when the program runs, such as the choice of a model. */
  call<N extends string>(
    name: string extends N ? N : never,
    args: Readonly<Record<string, unknown>>,
    options?: AskOptions,
  ): Promise<ToolAnswer<Readonly<Record<string, unknown>>>>;
  /** Calls a tool. Servers that it needs are started by the first call. */
  call<N extends ToolName>(
    name: N,
    args: ToolArgs<N>,
    options?: AskOptions,
  ): Promise<ToolAnswer<ToolData<N>>>;
  /**
   * Serves MCP on a transport until that is closed; resolves when it has started. Several may be served at once. Plans
   * and cursors are common to them and to `call`.
   */
  serve(transport: McpTransport, options?: ServeOptions): Promise<void>;
  /** The problems of a file: of the text that is given, else of the one that is held, else of the disk. */
  diagnostics(file: string, options?: CheckOptions): Promise<FileDiagnostics>;
  /** The problems of all files that servers know of. */
  diagnostics(options?: AskOptions): Promise<KnownProblems>;
  /**
   * Calls a listener whenever the problems of a file may have changed, with its name as answers show it, or without one
   * where those of any file may have. Gives a function that ends this.
   */
  onDiagnostics(listener: (file?: string) => void): () => void;
  /**
   * Takes a text that is not on the disk for that of a file, in every question from now on; `null` gives the disk its say
   * again. Until then lspan does not change that file.
   */
  hold(file: string, text: string | null): void;
  /** How the language servers are. */
  status(options?: AskOptions): Promise<readonly HostServer[]>;
  /** Ends all that is under way, which rejects with the code `cancelled`, all that is served, and every server. */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
