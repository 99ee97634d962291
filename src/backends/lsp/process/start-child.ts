import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { Command, ProcessTree } from '../../../platform/processes/process-tree.ts';
import { startFailure } from './process-exit.ts';

/** A process that has started, with its three pipes. */
export interface RunningChild {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/** Starts a program; whichever way the system refuses, it rejects with our error. */
export async function startChild(command: Command, tree: ProcessTree): Promise<RunningChild> {
  try {
    const process = tree.spawn(command);
    await once(process, 'spawn');
    const { pid, stdin, stdout, stderr } = process;
    if (pid === undefined || !stdin || !stdout || !stderr) throw new Error('a process without pipes');
    return { process, pid, stdin, stdout, stderr };
  } catch (thrown) {
    throw startFailure(thrown, command);
  }
}
