import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** How a program is run to its end. */
export interface ProgramRun {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Takes each line that it writes, to either stream. */
  readonly onLine: (line: string) => void;
}

/** Runs a program to its end and returns its exit code; `undefined` if a signal ended it, or it could not be started. */
export function runProgram(
  program: string,
  args: readonly string[],
  { folder, environment, onLine }: ProgramRun,
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Windows starts scripts, such as npm, by its shell only; no argument comes from a user.
      shell: process.platform === 'win32',
      windowsHide: true,
    });
    for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', onLine);
    child.on('error', (error) => {
      onLine(error.message);
      resolve(undefined);
    });
    child.on('close', (code) => resolve(code ?? undefined));
  });
}
