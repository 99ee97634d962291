/** Whether the user has allowed that the content of a root is run. */
export interface Trust {
  readonly granted: boolean;
  /** Why not, as a sentence: nobody has trusted it, or what has changed since. */
  readonly reason: string;
}

/** What holds where nobody has said otherwise. */
export const untrusted: Trust = { granted: false, reason: 'The user has not trusted this folder.' };

/** The content of those files of a root that decide what is run there. */
export interface Fingerprint {
  /** SHA-256 in hexadecimal, by path relative to the root with `/`, in the order of the paths. */
  readonly files: ReadonlyMap<string, string>;
  /** Where those files really are, by absolute path: a link may lead to another place of the root. */
  readonly places: ReadonlySet<string>;
  /** Why there is no telling what they hold, as a sentence: a link that leads out, or too much to read. */
  readonly fault?: string;
}
