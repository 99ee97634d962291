/** Whether the user has allowed that the content of a root is run. */
export interface Trust {
  readonly granted: boolean;
  /** Why not, as a sentence: nobody has trusted it, or what has changed since. */
  readonly reason: string;
}

/** What holds where nobody has said otherwise. */
export const untrusted: Trust = { granted: false, reason: 'The user has not trusted this folder.' };
