/** The folders of one repository with a trap, all beside each other in a temporary folder. */
export interface Folders {
  /** The folder of all of them. */
  readonly all: string;
  /** The repository. */
  readonly root: string;
  /** Files of the user, which nothing may touch. */
  readonly outside: string;
  /** The user's home folder. */
  readonly home: string;
  /** The user's folder for caches, in which lspan has one of its own. */
  readonly cache: string;
  /** The user's folder for states, in which lspan has one of its own. */
  readonly state: string;
  /** The user's folder for temporary files. */
  readonly temporary: string;
  /** The file into which strace writes. */
  readonly trace: string;
}
