import { z } from 'zod';
import { asLspanError, LspanError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { maxTokensOf, readCall } from '../tools/run/read-call.ts';
import { fail } from '../tools/run/render-error.ts';
import { joinAdjusted } from '../tools/run/run-tool.ts';
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
  /** Its effects, if the fields leave out some of what our tool can do. */
  readonly effects?: Tool['effects'];
  /** Converts the data, if this surface has a form of its own for it. */
  readonly shape?: (data: Outcome['data']) => Outcome['data'];
  /** Converts a rendered failure, if this surface has a form of its own for it. */
  readonly shapeFailure?: (failure: Rendered) => Rendered;
}

/** The text and the data of an outcome. */
export type Rendered = Pick<Outcome, 'text' | 'data'>;

/** The conventions of a surface, whatever the tool. */
export interface AdaptOptions {
  /** Converts input to our units. */
  readonly read: (given: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Converts an answer to the surface's form. */
  readonly render: (data: Outcome['data']) => Rendered;
  readonly renderError: (failure: Outcome) => Rendered;
  /** The share of the budget that our data may take, so that the surface's form of it fits. */
  readonly share: number;
}

/** Offers a tool as a row of a surface describes it. Whatever it checks, it still checks. */
export function adaptTool(
  tool: Tool,
  row: AdaptedTool,
  { read, render, renderError, share }: AdaptOptions,
): Tool {
  const { of: name, fields, passes = [], effects = tool.effects, shape, shapeFailure, ...described } = row;
  const adapt = (outcome: Outcome): Outcome => {
    const { data, isError, doubts, error, shrink } = outcome;
    const failure = isError ? renderError(outcome) : undefined;
    return {
      ...(failure ? (shapeFailure?.(failure) ?? failure) : render(shape?.(data) ?? data)),
      isError,
      ...(doubts ? { doubts } : {}),
      ...(error ? { error } : {}),
      ...(shrink ? { shrink: (maxTokens) => adapt(shrink(Math.floor(maxTokens * share))) } : {}),
    };
  };
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
      if (parsed instanceof LspanError) return adapt(fail(parsed));
      const question = parsed.input ? read(parsed.input) : {};
      const { cursor } = parsed;
      const ours = cursor === undefined ? question : { ...question, cursor, ...maxTokensIn(given) };
      const outcome = await tool.run(context, scaleBudget(ours, share), withShare(options, share));
      const adjusted = outcome.isError ? undefined : joinAdjusted(parsed.adjusted, outcome.data.adjusted);
      return adapt(adjusted === undefined ? outcome : { ...outcome, data: { ...outcome.data, adjusted } });
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
