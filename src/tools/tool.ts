import type { z } from 'zod';
import type { Backend } from '../core/backend.ts';
import type { Call } from '../core/call.ts';
import type { Doubt } from '../core/doubts.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** What a tool works with. */
export interface World {
  readonly workspace: Workspace;
  readonly backend: Backend;
}

/** What a tool answers: its payload under the tool's noun, and how far it can be believed. */
export interface Result<D extends object> {
  readonly data: D;
  readonly doubts: readonly Doubt[];
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

/** A tool is a value: a schema, a function that answers, a function that renders. */
export interface Tool<I extends z.ZodType = z.ZodType, D extends object = object> {
  readonly name: string;
  readonly title: string;
  readonly toolset: Toolset;
  /** Listed by default; the others by their toolset. */
  readonly listed: boolean;
  readonly description: string;
  readonly input: I;
  readonly output: z.ZodType<D>;
  /** Whether it changes files or servers. */
  readonly effects: 'none' | 'servers' | 'files';
  answer(world: World, input: z.output<I>, call: Call): Promise<Result<D>>;
  /** The whole answer as compact text; doubts, totals and cuts are added by `run-tool`. */
  render(data: D, input: z.output<I>): string;
}

/** Keeps the types of a tool's parts together. */
export function defineTool<I extends z.ZodType, D extends object>(tool: Tool<I, D>): Tool<I, D> {
  return tool;
}
