import { z } from 'zod';
import { asLspanError, LspanError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { maxTokensOf, readCall } from '../tools/run/read-call.ts';
import { fail } from '../tools/run/run-tool.ts';
import type { Outcome, RunOptions, Tool } from '../tools/run/tool.ts';

/** One tool of a surface: a tool of ours under another name, with other fields. */
export interface AdaptedTool extends Pick<Tool, 'name' | 'title' | 'toolset' | 'description'> {
  /** The name of our tool. */
  readonly of: string;
  /** Its own fields, in the units of the surface. */
  readonly fields: Readonly<Record<string, z.ZodType>>;
  /** Fields of our tool that are taken as they are, where it has them. */
  readonly passes?: readonly string[];
  /** What our tool is given beside, unless the caller says otherwise. */
  readonly beside?: Readonly<Record<string, unknown>>;
  /** Where the fields leave out what our tool could do, its effects are less. */
  readonly effects?: Tool['effects'];
  /** The data where it has a form of its own on this surface. */
  readonly shape?: (data: Outcome['data']) => Outcome['data'];
}

/** How a surface speaks, whatever the tool. */
export interface AdaptOptions {
  /** Turns what a caller gave into our units. */
  readonly read: (given: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Turns an answer into the surface's form. */
  readonly tell: (data: Outcome['data']) => Pick<Outcome, 'text' | 'data'>;
  readonly tellError: (data: Outcome['data']) => Pick<Outcome, 'text' | 'data'>;
  /** How much of the budget our data may take, so that the surface's form of it fits. */
  readonly share: number;
}

/** Offers a tool under a row of a surface. Everything that it is careful about, it stays careful about. */
export function adaptTool(
  tool: Tool,
  row: AdaptedTool,
  { read, tell, tellError, share }: AdaptOptions,
): Tool {
  const {
    of,
    fields,
    passes = [],
    beside = {},
    effects = tool.effects,
    shape = (data) => data,
    ...told
  } = row;
  const input = z.strictObject({ ...fields, ...pick(tool, passes) });
  return {
    ...told,
    listed: true,
    input,
    output: tool.output,
    effects,
    async run(context, given, options) {
      const reading = Promise.resolve(given).then((raw) => readCall(input, raw));
      const asking = await reading.catch(asLspanError);
      if (asking instanceof LspanError) return { ...tellError(fail(asking).data), isError: true };
      const question = asking.input ? { ...beside, ...read(asking.input) } : {};
      const { cursor } = asking;
      const asked = cursor === undefined ? question : { ...question, cursor, ...roomIn(given) };
      const outcome = await tool.run(context, scaled(asked, share), withShare(options, share));
      const { isError, data } = outcome;
      return { ...(isError ? tellError(data) : tell(shape(data))), isError };
    },
  };
}

function pick({ input }: Tool, names: readonly string[]): Record<string, z.ZodType> {
  if (!(input instanceof z.ZodObject)) return {};
  const shape: Readonly<Record<string, unknown>> = input.shape;
  return Object.fromEntries(
    names.flatMap((name) => {
      const field = shape[name];
      return field instanceof z.ZodType ? [[name, field]] : [];
    }),
  );
}

function roomIn(given: unknown): { readonly max_tokens?: number } {
  const max_tokens = maxTokensOf(given);
  return max_tokens === undefined ? {} : { max_tokens };
}

function withShare(options: RunOptions, share: number): RunOptions {
  return { ...options, shown: 'data', maxTokens: Math.floor(options.maxTokens * share) };
}

function scaled(input: Readonly<Record<string, unknown>>, share: number): object {
  const { max_tokens } = input;
  if (typeof max_tokens !== 'number') return input;
  return { ...input, max_tokens: Math.max(limits.tokens.least, Math.floor(max_tokens * share)) };
}
