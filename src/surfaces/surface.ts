import type { Tool } from '../tools/run/tool.ts';
import type { PromptTemplate } from './prompt.ts';

/** Names, schemas and renderings under which the same core is offered. */
export interface Surface {
  readonly name: string;
  /** What `initialize` tells as the server's name. */
  readonly serverName: string;
  readonly instructions: string;
  readonly tools: readonly Tool[];
  readonly prompts: readonly PromptTemplate[];
  /** Whether the problems of files can be read and followed beside the tools. */
  readonly resources: boolean;
  /**
   * Answers are structured content by a declared schema, whatever the client and the user's choice, and failures are
   * errors of the protocol. Otherwise both are results in the form that was chosen.
   */
  readonly contract?: true;
}
