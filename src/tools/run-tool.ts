import type { z } from 'zod';
import { beginCall } from '../core/call.ts';
import { type Doubt, uniqueDoubts } from '../core/doubts.ts';
import { asLspanError, type LspanError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { visible, visibleData } from '../core/visible.ts';
import { type Budget, fitBudget } from './budget.ts';
import { parseInput } from './parse-input.ts';
import type { Pages, Result, ToolParts, World } from './tool.ts';

/** What a call ended in; an error is an outcome like any other. */
export interface Outcome {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  /** Why the answer may be incomplete. */
  readonly doubts?: readonly Doubt[];
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
  readonly signal: AbortSignal;
}

/** Runs a tool: parsing, deadline, freshness, budget and errors happen here and nowhere else. */
export async function runTool<I extends z.ZodType, D extends object>(
  tool: ToolParts<I, D>,
  world: World,
  given: unknown,
  options: RunOptions,
): Promise<Outcome> {
  const { deadline, report, signal } = options;
  const call = beginCall({ time: deadline, report }, signal);
  try {
    const input = parseInput(tool.input, given);
    const watched = await world.workspace.refresh(call);
    const result = await tool.answer(world, input, call);
    const doubts = uniqueDoubts([...watched, ...result.doubts]);
    const data =
      'pages' in result ? await result.pages.show(0, firstPage(world, result.pages), call) : result.data;
    const { shown } = options;
    const shrink = (maxTokens: number): Outcome =>
      succeed(tool, { ...result, data, doubts }, { shown, page: world.page, maxTokens }, shrink);
    return shrink(maxTokensOf(input) ?? options.maxTokens);
  } catch (thrown) {
    const error = asLspanError(thrown);
    if (error.code === 'internal') options.log('error', 'tool_failed', { tool: tool.name, error: thrown });
    return fail(error);
  } finally {
    call[Symbol.dispose]();
  }
}

/** The outcome of a call that an error ended. */
export function fail(error: LspanError): Outcome {
  const { code, message, retryable, nextStep, candidates } = error;
  const listed = candidates?.map((candidate) => `  ${JSON.stringify(candidate)}`) ?? [];
  const text = [`${code}: ${message}`, ...listed, ...(nextStep ? [`Next: ${nextStep}`] : [])].join('\n');
  const data = {
    error: { code, message, retryable, next_step: nextStep ?? null, ...(candidates ? { candidates } : {}) },
  };
  return outcome(text, data, { isError: true });
}

function firstPage({ page }: World, { length }: Pages<object>): number {
  return Math.min(page, length);
}

function succeed<I extends z.ZodType, D extends object>(
  tool: ToolParts<I, D>,
  result: Result<D>,
  budget: Budget,
  shrink: (maxTokens: number) => Outcome,
): Outcome {
  const { data, doubts, adjusted } = result;
  const total = result.total ?? tool.count?.(data) ?? 0;
  const notes = [...(adjusted ? [`Read as: ${adjusted}`] : []), ...doubts.map(renderDoubt)];
  const fitted = fitBudget(tool, data, total, notes, budget);
  const counts = tool.count ? { total, returned: tool.count(fitted.data) } : {};
  const told = { complete: doubts.length === 0, doubts, ...counts, ...(adjusted ? { adjusted } : {}) };
  return outcome(fitted.text, { ...told, ...fitted.data }, { isError: false, doubts, shrink });
}

/** The data is made safe when it is first looked at: many clients are sent only the text. */
function outcome(text: string, data: object, rest: Pick<Outcome, 'isError' | 'doubts' | 'shrink'>): Outcome {
  let safe: Outcome['data'] | undefined;
  return {
    ...rest,
    text: visible(text),
    get data() {
      safe ??= Object.fromEntries(Object.entries(data).map(([key, held]) => [key, visibleData(held)]));
      return safe;
    },
  };
}

function renderDoubt({ kind, detail }: Doubt): string {
  return `May be incomplete (${kind}): ${detail}`;
}

function maxTokensOf(input: unknown): number | undefined {
  if (typeof input !== 'object' || input === null || !('max_tokens' in input)) return undefined;
  return typeof input.max_tokens === 'number' ? input.max_tokens : undefined;
}
