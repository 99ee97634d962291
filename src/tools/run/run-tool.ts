import type { z } from 'zod';
import { beginCall, type Call } from '../../core/call.ts';
import { asLspanError, LspanError } from '../../core/errors.ts';
import { readCursor } from './cursor.ts';
import { listAt, pagedList } from './paging-list.ts';
import { maxTokensOf, questionOf, readCall } from './read-call.ts';
import { renderError } from './render-error.ts';
import { renderResult } from './render-result.ts';
import { retryOnUnsavedChange } from './retry-on-unsaved-change.ts';
import type { Budget, Outcome, RunOptions, ToolContext, ToolParts } from './tool.ts';

/** Runs a tool: parsing, deadline, freshness, paging, budget and errors happen here and nowhere else. */
export async function runTool<I extends z.ZodType, D extends object>(
  tool: ToolParts<I, D>,
  context: ToolContext,
  given: unknown,
  options: RunOptions,
): Promise<Outcome> {
  const { deadline, report, scope, id, signal, shown } = options;
  const call = beginCall({ time: deadline, report, scope, id }, signal);
  const budget = { shown, maxTokens: maxTokensOf(given) ?? options.maxTokens };
  try {
    return await answer(tool, context, given, budget, call);
  } catch (thrown) {
    const error = asLspanError(thrown);
    if (error.code === 'internal') options.log('error', 'tool_failed', { tool: tool.name, error: thrown });
    return renderError(withAdvice(error, tool.instead), budget);
  } finally {
    call[Symbol.dispose]();
  }
}

/** Adds what an agent can do instead to the error that no server supports a question. */
function withAdvice(
  error: LspanError,
  instead = 'Use another tool, or search the text instead.',
): LspanError {
  if (error.code !== 'not_supported' || error.nextStep !== undefined) return error;
  return new LspanError(error.code, error.message, { nextStep: instead, cause: error });
}

async function answer<I extends z.ZodType, D extends object>(
  tool: ToolParts<I, D>,
  context: ToolContext,
  given: unknown,
  budget: Budget,
  call: Call,
): Promise<Outcome> {
  const { cursor, input, adjusted } = readCall(tool.input, given);
  if (cursor !== undefined) {
    const at = readCursor(tool.name, cursor);
    const watchDoubts = await context.workspace.refresh(call);
    const list = await listAt(context, at, input === undefined ? undefined : questionOf(input), call);
    return list.renderPage(context, { offset: at.offset, watchDoubts }, budget, call);
  }
  const watchDoubts = await context.workspace.refresh(call);
  let generation = context.workspace.generation();
  const answered = () => {
    generation = context.workspace.generation();
    return tool.answer(context, input, call);
  };
  const answer = await (tool.effects === 'none'
    ? retryOnUnsavedChange(context.workspace, answered)
    : answered());
  const result = { ...answer, adjusted: joinAdjusted(adjusted, answer.adjusted) };
  if (!('pages' in result))
    return renderResult(tool, { ...result, doubts: [...watchDoubts, ...result.doubts] }, budget);
  const list = pagedList(tool, input, result, generation);
  return list.renderPage(context, { offset: 0, watchDoubts }, budget, call);
}

/** Joins how the arguments were read and how the target was, if either was not exact. */
export function joinAdjusted(fields: readonly string[], target: unknown): string | undefined {
  const all = typeof target === 'string' ? [...fields, target] : fields;
  return all.length === 0 ? undefined : all.join('; ');
}
