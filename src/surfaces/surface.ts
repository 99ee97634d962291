import type { z } from 'zod';
import type { Outcome } from '../tools/run-tool.ts';
import type { Toolset, World } from '../tools/tool.ts';

/** One tool as a surface offers it. */
export interface SurfaceTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly toolset: Toolset;
  readonly listed: boolean;
  readonly effects: 'none' | 'servers' | 'files';
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  run(world: World, input: unknown, options: RunOptions): Promise<Outcome>;
}

/** What a caller may set for one call. */
export interface RunOptions {
  readonly deadline: number;
  readonly maxTokens: number;
  readonly report: (message: string) => void;
  readonly signal: AbortSignal;
}

/** Names, schemas and renderings under which the same core is offered. */
export interface Surface {
  readonly name: string;
  /** What `initialize` tells as the server's name. */
  readonly serverName: string;
  readonly instructions: string;
  readonly tools: readonly SurfaceTool[];
}
