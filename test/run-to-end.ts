import { execFile } from 'node:child_process';

/** How a program ended, and all that it wrote. */
interface Ended {
  /** Absent where it was killed. */
  readonly status: number | undefined;
  readonly written: string;
}

/** Runs a Node program to its end. Meanwhile the worker lives, which is given up when it is not heard for a minute. */
export function runToEnd(...args: readonly string[]): Promise<Ended> {
  return runToEndWithin(110_000, ...args);
}

/** The same, for a program that may take longer. */
export function runToEndWithin(timeout: number, ...args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { timeout }, (error, stdout, stderr) => {
      const status = error === null ? 0 : error.code;
      resolve({ status: typeof status === 'number' ? status : undefined, written: `${stdout}${stderr}` });
    });
  });
}
