import type { Tool } from '../tools/tool.ts';

/** Names, schemas and renderings under which the same core is offered. */
export interface Surface {
  readonly name: string;
  /** What `initialize` tells as the server's name. */
  readonly serverName: string;
  readonly instructions: string;
  readonly tools: readonly Tool[];
}
