import type { ChildProcess } from 'node:child_process';
import type { Daemon } from './daemons.ts';

/** A program to start: absolute path, arguments, its whole environment, and its folder. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** Starts programs so that they and their descendants can be ended together, and never outlive lspan. */
export interface ProcessTree {
  /** Starts a program with three pipes. Fails like `child_process.spawn`: by throwing, or by an `error` event. */
  spawn(command: Command): ChildProcess;
  /** Asks a program of this tree and its descendants to end. Does nothing once it has ended. */
  terminate(pid: number): void;
  /** Kills a program of this tree and its descendants. Does nothing once it has ended. */
  kill(pid: number): void;
  /** Returns the processes that had left the group of an ended program, and were killed after it. */
  leftBehind(pid: number): readonly Daemon[];
  /** Kills every program that still runs, and ends the watchdog; resolves when that has ended too. */
  close(): Promise<void>;
}

/** How a platform keeps processes together; each kind can be forced for tests. */
export type TreeKind = 'group' | 'taskkill';
