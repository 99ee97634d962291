import type { PromptTemplate } from './surface.ts';

/** A tool as clients see it, and what decides whether it is listed. */
export interface CatalogueTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown };
  readonly outputSchema: { readonly type: 'object'; readonly [key: string]: unknown };
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  readonly toolset: string;
  readonly listed: boolean;
  readonly effects: 'none' | 'servers' | 'files' | 'as_given';
}

/** A surface as plain data: enough to answer `initialize` and `tools/list` without loading any tool. */
export interface CatalogueSurface {
  readonly name: string;
  readonly serverName: string;
  readonly instructions: string;
  readonly tools: readonly CatalogueTool[];
  /** Names of tools that hooks of clients call. */
  readonly hookTools?: readonly string[];
  readonly prompts: readonly PromptTemplate[];
  readonly resources: boolean;
  readonly contract?: true;
}
