/** A workflow that a user can start by name: plain data, so that it is told without loading a tool. */
export interface PromptTemplate {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }[];
  /** The tools that it names; it is offered only where all of them are. */
  readonly tools: readonly string[];
  /** What the model is told; `{name}` stands for an argument, and a line that names one which is not given is left out. */
  readonly lines: readonly string[];
}
