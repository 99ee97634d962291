/** What a call ended in; an error is an outcome like any other. */
export interface Outcome {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}
