/** A command whose answer comes only when the server has checked the present text of a file. */
export interface CheckCommand {
  readonly command: string;
  readonly arguments: (path: string) => readonly unknown[];
  /** Whether that is what an answer means; a server may also answer that it could not. */
  readonly proves: (answer: unknown) => boolean;
  /** Whether it says that nothing was found, after which a server need not publish nothing once more. */
  readonly foundNothing: (answer: unknown) => boolean;
}
