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
