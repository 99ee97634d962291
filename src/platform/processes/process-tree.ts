import type { ChildProcess } from 'node:child_process';
import type { Daemon } from './daemons.ts';
/** A program to start: absolute path, arguments, its whole environment, and its folder. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** Starts programs so that they, and whatever they start, can be ended as one and never outlive lspan. */
export interface ProcessTree {
  /** Starts a program with three pipes. Fails as `child_process.spawn` does: by throwing, or by an `error` event. */
  spawn(command: Command): ChildProcess;
  /** Asks a program that this tree started, and all it started, to end. Does nothing once it has ended. */
  terminate(pid: number): void;
  /** Ends a program that this tree started, and all it started. Does nothing once it has ended. */
  kill(pid: number): void;
  /** The processes that a program which has ended had let go from its group, and which were ended after it. */
  leftBehind(pid: number): readonly Daemon[];
  /** Ends every program that still runs, and what watches over them; resolves when that has gone too. */
  close(): Promise<void>;
}

/** How a platform keeps processes together; every way can be forced, so that each is tested everywhere. */
export type TreeKind = 'group' | 'taskkill';
