import type { Canary } from '../../evil-repo/canary.ts';

/**
 * One thing in a repository that a server could run, fetch, or write to. Each trap has a repository of its own, since a
 * second one may hide the first.
 */
export interface ServerTrap {
  readonly name: string;
  /** The families of servers that meet it, as `projects.ts` names them. */
  readonly families: readonly string[];
  /** By path in the repository; what begins with `#!` is made executable. They replace files of the project. */
  readonly files?: (bait: Bait) => Readonly<Record<string, string>>;
  /** Files outside the repository, which belong to the user. */
  readonly outside?: Readonly<Record<string, string>>;
  /** Symbolic links of the repository, with what they lead to. */
  readonly links?: (bait: Bait) => Readonly<Record<string, string>>;
  /** Named pipes of the repository. */
  readonly pipes?: readonly string[];
  /** Libraries of the repository that leave a mark when they are loaded. */
  readonly libraries?: readonly string[];
  /** Variables of the user that lead into the repository. */
  readonly environment?: (bait: Bait) => Readonly<Record<string, string>>;
  /** The file that is asked about. Default: that of the project. */
  readonly asked?: string;
}

/** What the files of a trap are written from. */
export interface Bait extends Canary {
  readonly root: string;
  /** A folder beside the repository, which nothing may touch. */
  readonly outside: string;
  /** The address of a listener on this machine, with a slash at the end. */
  readonly url: string;
  /** The name of the file that is asked about, and its ending. */
  readonly asked: string;
  readonly ending: string;
}
