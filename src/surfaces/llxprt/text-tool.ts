import type { z } from 'zod';
import { defineTool } from '../../tools/run/define-tool.ts';
import type { Tool, ToolParts } from '../../tools/run/tool.ts';
import { renderFailure } from './render-failure.ts';

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
