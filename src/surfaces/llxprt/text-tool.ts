import type { z } from 'zod';
import { defineTool } from '../../tools/run/define-tool.ts';
import { indented } from '../../tools/run/fenced.ts';
import type { Outcome, Tool, ToolParts } from '../../tools/run/tool.ts';
import { inOwnWords } from './own-words.ts';

/** A tool that only reads, and whose failures are told in the words of this surface. */
export function textTool<I extends z.ZodType, D extends object>(
  parts: Omit<ToolParts<I, D>, 'listed' | 'effects'>,
): Tool {
  const tool = defineTool({ ...parts, listed: true, effects: 'none' });
  return {
    ...tool,
    async run(context, given, options) {
      const outcome = await tool.run(context, given, options);
      return outcome.isError ? renderFailure(outcome) : outcome;
    },
  };
}

/** `Error: message`, and what can be done about it; what lies outside the workspace is told by one sentence. */
export function renderFailure({ data }: Outcome): Outcome {
  const error = Object(data.error);
  const message = inOwnWords(String(error.message));
  const next = typeof error.next_step === 'string' ? inOwnWords(error.next_step) : null;
  const text =
    error.code === 'outside_workspace'
      ? 'Error: File is outside workspace boundary'
      : [`Error: ${indented(message, '  ')}`, ...(next ? [`Next: ${next}`] : [])].join('\n');
  return { text, data: { ...data, error: { ...error, message, next_step: next } }, isError: true };
}
