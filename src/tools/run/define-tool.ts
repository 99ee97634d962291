import type { z } from 'zod';
import { runTool } from './run-tool.ts';
import type { Tool, ToolParts } from './tool.ts';

/** Makes a tool of its parts. */
export function defineTool<I extends z.ZodType, D extends object>(parts: ToolParts<I, D>): Tool {
  const { name, title, toolset, listed, description, input, output, effects, prose = [] } = parts;
  const run: Tool['run'] = (context, given, options) => runTool(parts, context, given, options);
  return { name, title, toolset, listed, description, input, output, effects, prose, run };
}
