/** The user's permission to run the content of a root. */
export interface Trust {
  readonly granted: boolean;
  /** Why it is not granted, as a sentence: the user has not trusted the root, or what has changed since. */
  readonly reason: string;
  /** The reason in few words, if it is not the usual one. */
  readonly brief?: string;
}

/** Default trust of a root. */
export const untrusted: Trust = { granted: false, reason: 'The user has not trusted this folder.' };

/** Content of the files of a root that decide what is run there. */
export interface Fingerprint {
  /** SHA-256 in hexadecimal, by path relative to the root with `/`, in the order of the paths. */
  readonly files: ReadonlyMap<string, string>;
  /** Real absolute paths of those files: a link may lead to another place in the root. */
  readonly places: ReadonlySet<string>;
  /** Why their content is unknown, as a sentence: a link leads out, or there is too much to read. */
  readonly fault?: string;
}
