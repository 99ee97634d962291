import type { Tool } from '../tools/run/tool.ts';

/** Names, schemas and renderings under which the core is offered. */
export interface Surface {
  readonly name: string;
  /** The server's name in `initialize`. */
  readonly serverName: string;
  readonly instructions: string;
  readonly tools: readonly Tool[];
  /** Tools that hooks of clients call; no list has them, so that they cost a model nothing. */
  readonly hookTools?: readonly Tool[];
  readonly prompts: readonly PromptTemplate[];
  /** True if the problems of files can be read and followed as resources. */
  readonly resources: boolean;
  /**
   * Answers are structured content of a declared schema, whatever the client and the user choose, and failures are
   * errors of the protocol. Otherwise both are results in the chosen form.
   */
  readonly contract?: true;
}

/** A workflow that a user can start by name: plain data, so that it can be listed without loading a tool. */
export interface PromptTemplate {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }[];
  /** The tools that it names; it is offered only if all of them are. */
  readonly tools: readonly string[];
  /** The text for the model. `{name}` is replaced by an argument; a line with an argument that is not given is left out. */
  readonly lines: readonly string[];
}
