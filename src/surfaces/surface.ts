import type { Tool } from '../tools/run/tool.ts';
import type { PromptTemplate } from './prompt.ts';

/** Names, schemas and renderings under which the core is offered. */
export interface Surface {
  readonly name: string;
  /** The server's name in `initialize`. */
  readonly serverName: string;
  readonly instructions: string;
  readonly tools: readonly Tool[];
  readonly prompts: readonly PromptTemplate[];
  /** True if the problems of files can be read and followed as resources. */
  readonly resources: boolean;
  /**
   * Answers are structured content of a declared schema, whatever the client and the user choose, and failures are
   * errors of the protocol. Otherwise both are results in the chosen form.
   */
  readonly contract?: true;
}
