import type { z } from 'zod';
import type { Backend } from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import type { LspanError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { CancelSignal } from '../../core/runtime/cancellation.ts';
import type { Edits } from '../../edits/edits.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { CallerState } from '../state/caller-state.ts';
import type { KeptList } from '../state/list-snapshot.ts';

/** What tools remember from one call to the next. */
export type ToolState = CallerState<ListSnapshot>;

/** The backend as tools use it: they neither end it nor listen to it. */
export type ToolBackend = Omit<Backend, 'id' | 'answers' | 'onDiagnostics' | 'close'>;

/** What a tool works with. */
export interface ToolContext extends ToolState {
  readonly workspace: Workspace;
  readonly backend: ToolBackend;
  /** Everything that writes. */
  readonly edits: Edits;
  /** As many results as an answer lists. */
  readonly page: number;
  /** Whether nothing may be written. */
  readonly readOnly: boolean;
  /** What the user should know of the set-up, such as configuration that was ignored. */
  readonly notices: readonly string[];
  /** Of lspan. */
  readonly version: string;
}

/** What a tool tells beside its payload. */
export interface Findings {
  readonly doubts: readonly Doubt[];
  /** How many things there are in all, where the payload is a list. */
  readonly total?: number;
  /** How a target that was not exact was read. */
  readonly adjusted?: string | undefined;
}

/** What a tool answers: its payload under the tool's noun, and how far it can be believed. */
export interface Result<D extends object> extends Findings {
  readonly data: D;
}

/** The same where the payload is a list that may be long. */
export interface Listing<D extends object> extends Findings {
  readonly pages: Pages<D>;
}

/** A long list in its order, of which a call shows a part; the next call goes on where that one ended. */
export interface Pages<D extends object> {
  /** How many things can be shown. There may be more in all. */
  readonly length: number;
  /** Goes through a long list before it is named, so that nobody has to wait meanwhile. */
  prepare(): Promise<void>;
  /** The same for the same things in the same order, and for no other: by it a list that has changed is known. */
  digest(): string;
  /** About as many bytes as it takes to remember them. */
  bytes(): number;
  /** The payload with the things from `from` to before `to`. */
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

/** What everybody may know of a tool, and how it is run. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly toolset: Toolset;
  /** Listed by default; the others by their toolset. */
  readonly listed: boolean;
  readonly description: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** Whether it changes files or servers; `as_given` where that is up to what it is given, which it refuses by itself. */
  readonly effects: 'none' | 'servers' | 'files' | 'as_given';
  /** Names of fields that may hold several lines, beside `message` and `diff`; a line break in any other is shown as `\u{a}`. */
  readonly prose?: readonly string[];
  run(context: ToolContext, given: unknown, options: RunOptions): Promise<Outcome>;
}

/** A tool is a value: a schema, a function that answers, a function that renders. */
export interface ToolParts<I extends z.ZodType, D extends object> extends Omit<Tool, 'run'> {
  readonly input: I;
  readonly output: z.ZodType<D>;
  answer(context: ToolContext, input: z.output<I>, call: Call): Promise<Result<D> | Listing<D>>;
  /** The whole answer as compact text; doubts and cuts are added by `run-tool`. */
  render(data: D, total: number): string;
  /** What an agent can do where no server answers this: a sentence. */
  readonly instead?: string;
  /** How many things the payload lists; absent, or nothing, where it is no list. */
  count?(data: D): number | undefined;
  /** The payload with at most `keep` things in its list, so that it fits a budget. */
  cut?(data: D, keep: number): D;
  /** The payload with its text cut to so many bytes, where it is no list. */
  shorten?(data: D, bytes: number): D;
}

/** What a call ended in; an error is an outcome like any other. */
export interface Outcome {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  /** Why the answer may be incomplete. */
  readonly doubts?: readonly Doubt[];
  /** The error that the outcome tells of, where it is one. */
  readonly error?: LspanError;
  /** The same answer in fewer tokens; absent where it has one form only. */
  shrink?(maxTokens: number): Outcome;
}

/** What a caller may set for one call. */
export interface RunOptions {
  /** Milliseconds. */
  readonly deadline: number;
  readonly maxTokens: number;
  /** What the budget counts: the part of the answer that the model will be shown. */
  readonly shown: 'text' | 'data';
  readonly report: (message: string) => void;
  readonly log: Log;
  readonly signal: CancelSignal;
  /** Who asks, where several may. */
  readonly scope?: string | undefined;
}

/** How much of what may be shown. */
export interface Budget {
  readonly maxTokens: number;
  readonly shown: 'text' | 'data';
}

/** Where a list is told from, and why what is known of the disk just now may be old. */
export interface TellFrom {
  readonly offset: number;
  readonly watched: readonly Doubt[];
}

/** A list as it was when it was first told, so that a later call can go on with it. */
export interface ListSnapshot extends KeptList {
  /** What was asked, defaults included. */
  readonly question: string;
  /** The state of the disk that the list is known to be true of. */
  readonly generation: number;
  /** Tells what begins at an offset. */
  tell(context: ToolContext, from: TellFrom, budget: Budget, call: Call): Promise<Outcome>;
  /** The same question asked again: a list of the same id where nothing about it has changed. */
  anew(context: ToolContext, call: Call): Promise<ListSnapshot>;
}
