import { readFileSync, realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { resultOrError } from '../../core/runtime/result.ts';

/** The program of which processes are, as it is on the disk. */
export interface Build {
  /** The real path of `bin.js`. */
  readonly executable: string;
  /** Different for every build. */
  readonly id: string;
}

/** Returns the build of a program's script, as it is on the disk now. Throws if there is none. */
export function buildOf(script: string): Build {
  const executable = realpathSync(script);
  const id = readFileSync(path.join(path.dirname(executable), 'build-id'), 'utf8').trim();
  return { executable, id };
}

/** Returns the id of this machine: several may share a disk. */
export function machineId(): string {
  const read = resultOrError(() => readFileSync('/etc/machine-id', 'utf8').trim());
  return read instanceof LspanError || read === '' ? hostname() : read;
}
