import type { z } from 'zod';
import type { Backend, Repositories, ServerControl, ServerStatus } from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import type { LspanError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { CancelSignal } from '../../core/runtime/cancellation.ts';
import type { SerialisedJson } from '../../core/runtime/serialised-json.ts';
import type { Edits } from '../../edits/edits.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { CallerState } from '../state/caller-state.ts';
import type { KeptList } from '../state/list-snapshot.ts';

/** State that tools keep between the calls of a caller. */
export type ToolState = CallerState<ListSnapshot>;

/** The backend as tools use it: they neither end it nor listen to it. */
export type ToolBackend = Omit<Backend, 'id' | 'answers' | 'onDiagnostics' | 'close'>;

/** The context in which a tool runs. */
export interface ToolContext extends ToolState {
  readonly workspace: Workspace;
  readonly backend: ToolBackend;
  /** Other repositories, as indexes know them; absent where there can be none. */
  readonly repositories?: Repositories | undefined;
  /** Everything that writes. */
  readonly edits: Edits;
  /** The most results that an answer lists. */
  readonly page: number;
  /** Bytes of an answer that is whole or fails; absent for the default. */
  readonly responseBytes?: number | undefined;
  /** True if nothing may be written. */
  readonly readOnly: boolean;
  /** Notices for the user about the set-up, such as configuration that was ignored. */
  readonly notices: readonly string[];
  /** The version of lspan. */
  readonly version: string;
  /** Returns the other workspaces that are open beside this one; absent if there can be none. */
  readonly neighbours?: (() => Promise<readonly Neighbour[]>) | undefined;
}

/** Another workspace, served beside the one of the call: a worktree of the same repository. */
export interface Neighbour {
  readonly root: string;
  readonly servers: readonly ServerStatus[];
  readonly control: ServerActions;
}

/** What users may do to running servers. */
export type ServerActions = Pick<ServerControl, 'status' | 'stop' | 'restart'>;

/** Everything in an answer besides its payload. */
export interface Findings {
  readonly doubts: readonly Doubt[];
  /** The number of items in all, if the payload is a list. */
  readonly total?: number;
  /** How a target that was not exact was read. */
  readonly adjusted?: string | undefined;
}

/** The answer of a tool: its payload under the tool's noun, and how far it can be trusted. */
export interface Result<D extends object> extends Findings {
  readonly data: D;
}

/** Like `Result`, but the payload is a list that may be long. */
export interface Listing<D extends object> extends Findings {
  readonly pages: Pages<D>;
}

/** A long ordered list. A call shows a part of it; the next call continues where that one ended. */
export interface Pages<D extends object> {
  /** The number of items that can be shown; there may be more in all. */
  readonly length: number;
  /** Computes digest and size of a long list in slices, so that other calls need not wait. */
  prepare(): Promise<void>;
  /** Equal for equal items in equal order, and different otherwise: detects a list that has changed. */
  digest(): string;
  /** About how many bytes it takes to keep the list. */
  bytes(): number;
  /** Returns the payload with the items from `from` up to, but not including, `to`. */
  show(from: number, to: number, call: Call): Promise<D>;
}

export type Toolset =
  | 'navigation'
  | 'symbols'
  | 'intelligence'
  | 'quality'
  | 'refactor'
  | 'files'
  | 'batch'
  | 'servers';

/** The public side of a tool: its description, and how to run it. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly toolset: Toolset;
  /** True if it is listed by default; other tools are listed by their toolset. */
  readonly listed: boolean;
  readonly description: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** Effects of the tool; `as_given` if they depend on its input, which the tool then refuses by itself. */
  readonly effects: 'none' | 'servers' | 'files' | 'as_given';
  /** Names of fields that may have several lines, besides `message` and `diff`; any other shows a line break as `\u{a}`. */
  readonly prose?: readonly string[];
  run(context: ToolContext, given: unknown, options: RunOptions): Promise<Outcome>;
}

/** A tool is a value: a schema, a function that answers, a function that renders. */
export interface ToolParts<I extends z.ZodType, D extends object> extends Omit<Tool, 'run'> {
  readonly input: I;
  readonly output: z.ZodType<D>;
  answer(context: ToolContext, input: z.output<I>, call: Call): Promise<Result<D> | Listing<D>>;
  /** Renders the whole answer as compact text; `run-tool` adds doubts and cuts. */
  render(data: D, total: number): string;
  /** A sentence: the next step of an agent if no server supports the question. */
  readonly instead?: string;
  /** Returns the number of items that the payload lists; absent, or `undefined`, if it is not a list. */
  count?(data: D): number | undefined;
  /** Returns the payload with at most `keep` items, so that it fits a budget. */
  cut?(data: D, keep: number): D;
  /** Returns the payload with its text cut to so many bytes, if it is not a list. */
  shorten?(data: D, bytes: number): D;
}

/** The outcome of a call; an error is an outcome like any other. */
export interface Outcome {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  /** Why the answer may be incomplete. */
  readonly doubts?: readonly Doubt[];
  /** The lines of the text that tell doubts. */
  readonly doubtLines?: readonly string[];
  readonly error?: LspanError;
  /** The data as JSON, if another process has made it. */
  readonly serialised?: SerialisedJson | undefined;
  /** Renders the answer again in fewer tokens; absent if it has only one form. */
  shrink?(maxTokens: number): Outcome;
}

/** Options of one call. */
export interface RunOptions {
  /** Milliseconds. */
  readonly deadline: number;
  readonly maxTokens: number;
  /** The part of the answer that the model will be shown, which is what the budget counts. */
  readonly shown: 'text' | 'data';
  readonly report: (message: string) => void;
  readonly log: Log;
  readonly signal: CancelSignal;
  /** The id of the caller, if there are several. */
  readonly scope?: string | undefined;
  /** The id of the call, if the caller may ask later what became of it. */
  readonly id?: string | undefined;
}

/** How many tokens may be shown, and of which part of the answer. */
export interface Budget {
  readonly maxTokens: number;
  readonly shown: 'text' | 'data';
}

/** The first item of a page, and why the state of the disk may be outdated. */
interface PageStart {
  readonly offset: number;
  readonly watchDoubts: readonly Doubt[];
}

/** A list as it was first answered, so that a later call can continue it. */
export interface ListSnapshot extends KeptList {
  /** The question, defaults included. */
  readonly question: string;
  /** The state of the disk for which the list is known to be true. */
  readonly generation: number;
  /** Renders the page that begins at an offset. */
  renderPage(context: ToolContext, from: PageStart, budget: Budget, call: Call): Promise<Outcome>;
  /** Asks the question again; the id stays the same if nothing in the list has changed. */
  askAgain(context: ToolContext, call: Call): Promise<ListSnapshot>;
}
