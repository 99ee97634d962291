import { dirname, join } from 'node:path';
import { isWithin } from '../../../platform/files/is-within.ts';
import type { Change } from '../../../workspace/workspace.ts';

/** Tells whether a file lies below a folder that holds one of some names; remembers until files come or go. */
export class Vicinity {
  readonly #exists: (path: string) => boolean;
  readonly #known = new Map<string, boolean>();

  constructor(exists: (path: string) => boolean) {
    this.#exists = exists;
  }

  /** Looks in the folder of the file and in those above it, up to the root. */
  holds(file: string, root: string, names: readonly string[]): boolean {
    return this.#above(dirname(file), root, names);
  }

  note(changes: readonly Change[]): void {
    if (changes.some(({ kind }) => kind !== 'changed')) this.#known.clear();
  }

  #above(folder: string, root: string, names: readonly string[]): boolean {
    if (!isWithin(root, folder)) return false;
    const key = `${folder}\0${names.join('\0')}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found =
      names.some((name) => this.#exists(join(folder, name))) || this.#above(dirname(folder), root, names);
    this.#known.set(key, found);
    return found;
  }
}
