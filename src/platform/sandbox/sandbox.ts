import type { Command } from '../processes/process-tree.ts';

/** What a confined program may see and change. All paths are absolute; those to write to exist. */
export interface SandboxRules {
  /** The user's home, of which only what is not private is visible. */
  readonly home: string;
  /** Folders and files that it needs, wherever they are. */
  readonly reads: readonly string[];
  /** Folders that it may change. */
  readonly writes: readonly string[];
  /** Never visible, even within `reads`. */
  readonly hides: readonly string[];
  /** A folder for this run alone, with what the program leaves in its home and in the temporary folder. */
  readonly scratch: string;
}

/** A way to run a program with fewer rights than lspan has. */
export interface Sandbox {
  /** Processes in it have other numbers than outside: the number of lspan means nothing there. */
  readonly ownProcessNumbers: boolean;
  /** The exit code of a program that a signal ended is 128 and the number of the signal. */
  readonly signalsAsCodes: boolean;
  /** Returns the command that runs another one confined. */
  confine(command: Command, rules: SandboxRules): Command;
  /** Tries it once; returns why it does not work here, as the end of a sentence. */
  fault(): Promise<string | undefined>;
}
