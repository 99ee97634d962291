import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { quotePath } from '../../core/wording/quote-path.ts';
import { isPathWithin } from '../../platform/files/path-within.ts';
import { attempt } from './attempt.ts';

/** A path whose spelling lies in a root or in a library root. */
export interface LocatedPath {
  /** Begins with the real path of `base`; links further down are not followed. */
  readonly path: string;
  readonly base: string;
  readonly standing: 'inside' | 'library';
}

interface Base {
  readonly spelling: string;
  readonly real: string;
}

/** The folders that may be read: the roots, the library roots, and every known spelling of both. */
export class AllowedFolders {
  readonly roots: readonly string[];
  /** The folders to which relative paths refer; paths are shown relative to the first. */
  readonly bases: readonly string[];
  readonly #inside: readonly Base[];
  readonly #additional: readonly Base[];
  #libraries: readonly Base[];
  /** Real paths of folders in the roots that are not part of them: other worktrees of the same repository. */
  #cutOut: ReadonlySet<string> = new Set();

  /** @param base The folder to which relative paths refer, if it is not each root. */
  constructor(given: readonly string[], additional: readonly string[] = [], base?: string) {
    const opened = given.map(openRoot);
    this.roots = [...new Set(opened.map(({ real }) => real))];
    this.bases = base === undefined ? this.roots : [base];
    this.#inside = longestFirst(opened.flatMap(spellings));
    this.#additional = longestFirst(additional.map(openAdditional).flatMap(spellings));
    this.#libraries = this.#additional;
  }

  /** Returns where a path lies by its spelling alone, without the disk; `undefined` if outside. */
  locate(absolute: string): LocatedPath | undefined {
    if (!path.isAbsolute(absolute)) return undefined;
    const normal = path.resolve(absolute);
    const inside = find(this.#inside, normal, 'inside');
    if (inside && this.cutOutAround(inside.path) === undefined) return inside;
    return find(this.#libraries, normal, 'library');
  }

  /** True if a real path lies in a root or a library root. */
  contains(real: string): boolean {
    return this.rootOf(real) !== undefined || this.#libraries.some((base) => isPathWithin(base.real, real));
  }

  /** True if a real path lies in a root or an additional root; false if only in a library. */
  isNamedByUser(real: string): boolean {
    return this.rootOf(real) !== undefined || this.#additional.some((base) => isPathWithin(base.real, real));
  }

  /** Returns the root that contains a real path; the longest if roots are nested. */
  rootOf(real: string): string | undefined {
    const root = this.#rootAround(real);
    return root === undefined || this.#cutOutIn(root, real) !== undefined ? undefined : root;
  }

  /** Returns the folder in a root that contains a real path and is not part of the root. */
  cutOutAround(real: string): string | undefined {
    // Nearly always there is none, and every span of an answer is asked about.
    if (this.#cutOut.size === 0) return undefined;
    const root = this.#rootAround(real);
    return root === undefined ? undefined : this.#cutOutIn(root, real);
  }

  /** Sets the folders in the roots that are not part of them, by their real paths. */
  cutOut(folders: ReadonlySet<string>): void {
    this.#cutOut = folders;
  }

  addLibraries(paths: readonly string[]): void {
    const known = new Set(this.#libraries.map(({ spelling }) => spelling));
    const added = paths.flatMap(openLibrary).filter(({ spelling }) => !known.has(spelling));
    this.#libraries = longestFirst([...this.#libraries, ...added]);
  }

  #rootAround(real: string): string | undefined {
    return this.#inside.find((base) => base.spelling === base.real && isPathWithin(base.real, real))?.real;
  }

  /** A root that the user named stays one, even in a folder that is cut out of the root around both. */
  #cutOutIn(root: string, real: string): string | undefined {
    if (this.#cutOut.size === 0) return undefined;
    return [...this.#cutOut].find((folder) => isPathWithin(root, folder) && isPathWithin(folder, real));
  }
}

function find(
  bases: readonly Base[],
  normal: string,
  standing: LocatedPath['standing'],
): LocatedPath | undefined {
  const base = bases.find(({ spelling }) => isPathWithin(spelling, normal));
  if (!base) return undefined;
  const located = path.join(base.real, normal.slice(base.spelling.length));
  return { path: located, base: base.real, standing };
}

function openRoot(given: string): Base {
  const spelling = path.resolve(given);
  const real = attempt(() => realpathSync.native(spelling));
  if (real.ok && statSync(real.value).isDirectory()) return { spelling, real: real.value };
  throw new LspanError('not_found', `The workspace ${quotePath(given)} is not a readable folder.`, {
    nextStep: 'Start lspan with --workspace DIR, an existing folder.',
  });
}

/** Read-only like a library, but named by the user, so a fault is reported. */
function openAdditional(given: string): Base {
  const spelling = path.resolve(given);
  const real = attempt(() => realpathSync.native(spelling));
  const isFolder = real.ok && statSync(real.value).isDirectory();
  if (isFolder && path.parse(real.value).root !== real.value) return { spelling, real: real.value };
  const what = isFolder ? 'is a whole disk' : 'is not a readable folder';
  throw new LspanError('not_found', `The additional root ${quotePath(given)} ${what}.`, {
    nextStep: 'Start lspan with --additional-root DIR, an existing folder as small as possible.',
  });
}

// A whole file system is never a library.
function openLibrary(given: string): Base[] {
  const spelling = path.resolve(given);
  const real = attempt(() => realpathSync.native(spelling));
  if (!real.ok || path.parse(real.value).root === real.value) return [];
  return [
    { spelling, real: real.value },
    { spelling: real.value, real: real.value },
  ];
}

// macOS shows `/private/tmp` and `/private/var` under both names.
function spellings({ spelling, real }: Base): Base[] {
  const short =
    process.platform === 'darwin' && isPathWithin('/private', real) ? [real.slice('/private'.length)] : [];
  return [...new Set([spelling, real, ...short])].map((each) => ({ spelling: each, real }));
}

function longestFirst(bases: readonly Base[]): Base[] {
  return [...bases].sort((a, b) => b.spelling.length - a.spelling.length);
}
