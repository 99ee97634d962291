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
  readonly #inside: readonly Base[];
  readonly #additional: readonly Base[];
  #libraries: readonly Base[];

  constructor(given: readonly string[], additional: readonly string[] = []) {
    const bases = given.map(openRoot);
    this.roots = [...new Set(bases.map(({ real }) => real))];
    this.#inside = longestFirst(bases.flatMap(spellings));
    this.#additional = longestFirst(additional.map(openAdditional).flatMap(spellings));
    this.#libraries = this.#additional;
  }

  /** Returns where a path lies by its spelling alone, without the disk; `undefined` if outside. */
  locate(absolute: string): LocatedPath | undefined {
    if (!path.isAbsolute(absolute)) return undefined;
    const normal = path.resolve(absolute);
    return find(this.#inside, normal, 'inside') ?? find(this.#libraries, normal, 'library');
  }

  /** True if a real path lies in a root or a library root. */
  contains(real: string): boolean {
    const containsIt = (base: Base) => isPathWithin(base.real, real);
    return this.#inside.some(containsIt) || this.#libraries.some(containsIt);
  }

  /** True if a real path lies in a root or an additional root; false if only in a library. */
  isNamedByUser(real: string): boolean {
    const containsIt = (base: Base) => isPathWithin(base.real, real);
    return this.#inside.some(containsIt) || this.#additional.some(containsIt);
  }

  /** Returns the root that contains a real path; the longest if roots are nested. */
  rootOf(real: string): string | undefined {
    return this.#inside.find((base) => base.spelling === base.real && isPathWithin(base.real, real))?.real;
  }

  addLibraries(paths: readonly string[]): void {
    const known = new Set(this.#libraries.map(({ spelling }) => spelling));
    const added = paths.flatMap(openLibrary).filter(({ spelling }) => !known.has(spelling));
    this.#libraries = longestFirst([...this.#libraries, ...added]);
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
