import { z } from 'zod';
import { asLspanError, LspanError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { maxTokensOf, readCall } from '../tools/run/read-call.ts';
import { fail, joinAdjusted } from '../tools/run/run-tool.ts';
import type { Outcome, RunOptions, Tool } from '../tools/run/tool.ts';

/** A tool of a surface: one of our tools under another name, with other fields. */
export interface AdaptedTool extends Pick<Tool, 'title' | 'toolset' | 'description'> {
  /** The name of our tool. */
  readonly of: string;
  /** Default: the name of our tool. */
  readonly name?: string;
  /** Its own fields, in the units of the surface. */
  readonly fields: Readonly<Record<string, z.ZodType>>;
  /** Fields of our tool that are accepted as they are, if it has them. */
  readonly passes?: readonly string[];
  /** Further input for our tool, unless the caller gives it. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Its effects, if the fields leave out some of what our tool can do. */
  readonly effects?: Tool['effects'];
  /** Converts the data, if this surface has a form of its own for it. */
  readonly shape?: (data: Outcome['data']) => Outcome['data'];
}

/** The conventions of a surface, whatever the tool. */
export interface AdaptOptions {
  /** Converts input to our units. */
  readonly read: (given: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Converts an answer to the surface's form. */
  readonly render: (data: Outcome['data']) => Pick<Outcome, 'text' | 'data'>;
  readonly renderError: (data: Outcome['data']) => Pick<Outcome, 'text' | 'data'>;
  /** The share of the budget that our data may take, so that the surface's form of it fits. */
  readonly share: number;
}

/** Offers a tool as a row of a surface describes it. Whatever it checks, it still checks. */
export function adaptTool(
  tool: Tool,
  row: AdaptedTool,
  { read, render, renderError, share }: AdaptOptions,
): Tool {
  const { of: name, fields, passes = [], defaults = {}, effects = tool.effects, shape, ...described } = row;
  const input = z.strictObject({ ...fields, ...pickFields(tool, passes) });
  return {
    name,
    ...described,
    listed: true,
    input,
    output: tool.output,
    effects,
    async run(context, given, options) {
      const reading = Promise.resolve(given).then((raw) => readCall(input, raw));
      const parsed = await reading.catch(asLspanError);
      if (parsed instanceof LspanError) return { ...renderError(fail(parsed).data), isError: true };
      const question = parsed.input ? { ...defaults, ...read(parsed.input) } : {};
      const { cursor } = parsed;
      const ours = cursor === undefined ? question : { ...question, cursor, ...maxTokensIn(given) };
      const { isError, data } = await tool.run(context, scaleBudget(ours, share), withShare(options, share));
      if (isError) return { ...renderError(data), isError };
      const adjusted = joinAdjusted(parsed.adjusted, data.adjusted);
      const told = adjusted === undefined ? data : { ...data, adjusted };
      return { ...render(shape?.(told) ?? told), isError };
    },
  };
}

function pickFields({ input }: Tool, names: readonly string[]): Record<string, z.ZodType> {
  if (!(input instanceof z.ZodObject)) return {};
  const shape: Readonly<Record<string, unknown>> = input.shape;
  return Object.fromEntries(
    names.flatMap((name) => {
      const field = shape[name];
      return field instanceof z.ZodType ? [[name, field]] : [];
    }),
  );
}

function maxTokensIn(given: unknown): { readonly max_tokens?: number } {
  const max_tokens = maxTokensOf(given);
  return max_tokens === undefined ? {} : { max_tokens };
}

function withShare(options: RunOptions, share: number): RunOptions {
  return { ...options, shown: 'data', maxTokens: Math.floor(options.maxTokens * share) };
}

function scaleBudget(input: Readonly<Record<string, unknown>>, share: number): object {
  const { max_tokens } = input;
  if (typeof max_tokens !== 'number') return input;
  return { ...input, max_tokens: Math.max(limits.tokens.least, Math.floor(max_tokens * share)) };
}
