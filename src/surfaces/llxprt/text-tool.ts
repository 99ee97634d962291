import type { z } from 'zod';
import { object } from '../../core/runtime/json.ts';
import { lineOpenings } from '../../tools/run/answer-words.ts';
import { defineTool } from '../../tools/run/define-tool.ts';
import { indented } from '../../tools/run/fenced.ts';
import type { Outcome, Tool, ToolParts } from '../../tools/run/tool.ts';
import { logInsteadOfStatus } from '../reword-status.ts';

/** Makes a tool that only reads, and whose failures are rendered in the words of this surface. */
export function textTool<I extends z.ZodType, D extends object>(
  parts: Omit<ToolParts<I, D>, 'listed' | 'effects'>,
): Tool {
  const tool = defineTool({ ...parts, listed: true, effects: 'none' });
  return {
    ...tool,
    async run(context, given, options) {
      const outcome = await tool.run(context, given, options);
      if (outcome.error?.code === 'outside_workspace')
        options.log('warn', 'outside_refused', { tool: tool.name, file: object(given).file });
      return outcome.isError ? renderFailure(outcome) : outcome;
    },
  };
}

/** Renders `Error: message` and the next step; a file outside the workspace is always refused with the same sentence. */
function renderFailure({ data, error: cause }: Outcome): Outcome {
  const error = Object(data.error);
  const message = inOwnWords(String(error.message));
  const next = typeof error.next_step === 'string' ? inOwnWords(error.next_step) : null;
  const told = error.code === 'outside_workspace' ? 'File is outside workspace boundary' : message;
  const text = [`Error: ${indented(told, '  ')}`, ...(next ? [`${lineOpenings.nextStep}${next}`] : [])].join(
    '\n',
  );
  const shown = { ...data, error: { ...error, message, next_step: next } };
  return { text, data: shown, isError: true, ...(cause ? { error: cause } : {}) };
}

/** Rewords the advice of our tools for this surface, which has other tools and no names of symbols. */
export function inOwnWords(text: string): string {
  return llxprtPhrases.reduce((reworded, [ours, theirs]) => reworded.replaceAll(ours, theirs), text);
}

/** Advice that only our tools allow, and what can be done with these instead. */
export const llxprtPhrases: readonly (readonly [ours: string, theirs: string])[] = [
  [': name files to check them', ': ask lsp_document_symbols about files'],
  [': name others to check them', ': ask lsp_document_symbols about others'],
  ['ask again, or name the files to check', 'ask again'],
  [', or give `symbol_name` instead', ''],
  [' Give `symbol_name` instead if in doubt.', ''],
  ...logInsteadOfStatus,
];
