import { readFileSync, realpathSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import { bundledBuild } from './bundle-file.ts';

/** The program of which processes are, as it is on the disk. */
export interface Build {
  /** The real path of `bin.js`, or of a bundle of one file. */
  readonly executable: string;
  /** Different for every build. */
  readonly id: string;
}

/** Returns the build of a program's script, as it is on the disk now. Throws if there is none. */
export function buildOf(script: string): Build {
  const executable = realpathSync(script);
  const id = bundledBuild(executable) ?? readFileSync(idFile(executable), 'utf8').trim();
  return { executable, id };
}

/** Notices that a program on the disk was replaced, for the price of two calls to the system. */
export class BuildWatch {
  readonly #script: string;
  /** The files that tell: what the script leads to, since an upgrade may change a link, and what every build writes. */
  readonly #files: readonly string[];
  #seen: readonly (number | undefined)[];

  constructor(script: string) {
    this.#script = script;
    const executable = resultOrError(() => realpathSync(script));
    this.#files = [script, idFile(executable instanceof LspanError ? script : executable)];
    this.#seen = this.#stamps();
  }

  /** Returns whether the program is another one than the build with an id; false if it cannot be read. */
  isReplaced(id: string | undefined): boolean {
    const now = this.#stamps();
    if (now.every((stamp, index) => stamp === this.#seen[index])) return false;
    const build = resultOrError(() => buildOf(this.#script));
    if (build instanceof LspanError) return false;
    if (build.id === id) this.#seen = now;
    return build.id !== id;
  }

  #stamps(): readonly (number | undefined)[] {
    return this.#files.flatMap((file) => {
      const stats = statSync(file, { throwIfNoEntry: false });
      return [stats?.ino, stats?.ctimeMs];
    });
  }
}

/** Returns the text of a module of the program that runs. */
export function moduleText(file: string): string {
  return readFileSync(file, 'utf8');
}

function idFile(executable: string): string {
  return path.join(path.dirname(executable), 'build-id');
}

/** Returns the id of this machine: several may share a disk. */
export function machineId(): string {
  const read = resultOrError(() => readFileSync('/etc/machine-id', 'utf8').trim());
  return read instanceof LspanError || read === '' ? hostname() : read;
}
