import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { quotePath } from '../../core/wording/quote-path.ts';
import { isPathWithin } from '../../platform/files/path-within.ts';
import { attempt } from './attempt.ts';

/** A path that lies, by its spelling, in a root or in a library root. */
export interface LocatedPath {
  /** Spelled from the real path of the folder that holds it; links further down are not followed. */
  readonly path: string;
  readonly base: string;
  readonly standing: 'inside' | 'library';
}

interface Ground {
  readonly spelling: string;
  readonly real: string;
}

/** Which folders are ours to read: the roots, the library roots, and every known spelling of both. */
export class AllowedFolders {
  readonly roots: readonly string[];
  readonly #inside: readonly Ground[];
  readonly #additional: readonly Ground[];
  #libraries: readonly Ground[];

  constructor(given: readonly string[], additional: readonly string[] = []) {
    const grounds = given.map(openRoot);
    this.roots = [...new Set(grounds.map(({ real }) => real))];
    this.#inside = longestFirst(grounds.flatMap(spellings));
    this.#additional = longestFirst(additional.map(openAdditional).flatMap(spellings));
    this.#libraries = this.#additional;
  }

  /** Where a path stands by its spelling alone; absent when outside. No disk is touched. */
  locate(absolute: string): LocatedPath | undefined {
    if (!path.isAbsolute(absolute)) return undefined;
    const normal = path.resolve(absolute);
    return find(this.#inside, normal, 'inside') ?? find(this.#libraries, normal, 'library');
  }

  /** Whether a real path lies in a root or a library root. */
  holds(real: string): boolean {
    const unsaved = (ground: Ground) => isPathWithin(ground.real, real);
    return this.#inside.some(unsaved) || this.#libraries.some(unsaved);
  }

  /** Whether a real path lies in a root or in one that the user named beside them: not just in a library. */
  isNamedByUser(real: string): boolean {
    const unsaved = (ground: Ground) => isPathWithin(ground.real, real);
    return this.#inside.some(unsaved) || this.#additional.some(unsaved);
  }

  /** The root that holds a real path; the longest when roots are nested. */
  rootOf(real: string): string | undefined {
    return this.#inside.find((ground) => ground.spelling === ground.real && isPathWithin(ground.real, real))
      ?.real;
  }

  addLibraries(paths: readonly string[]): void {
    const known = new Set(this.#libraries.map(({ spelling }) => spelling));
    const added = paths.flatMap(openLibrary).filter(({ spelling }) => !known.has(spelling));
    this.#libraries = longestFirst([...this.#libraries, ...added]);
  }
}

function find(
  grounds: readonly Ground[],
  normal: string,
  standing: LocatedPath['standing'],
): LocatedPath | undefined {
  const ground = grounds.find(({ spelling }) => isPathWithin(spelling, normal));
  if (!ground) return undefined;
  const located = path.join(ground.real, normal.slice(ground.spelling.length));
  return { path: located, base: ground.real, standing };
}

function openRoot(given: string): Ground {
  const spelling = path.resolve(given);
  const real = attempt(() => realpathSync.native(spelling));
  if (real.ok && statSync(real.value).isDirectory()) return { spelling, real: real.value };
  throw new LspanError('not_found', `The workspace ${quotePath(given)} is not a folder that can be read.`, {
    nextStep: 'Start lspan with --workspace DIR, an existing folder.',
  });
}

/** Read-only like a library, but the user has named it: what is wrong with it is told. */
function openAdditional(given: string): Ground {
  const spelling = path.resolve(given);
  const real = attempt(() => realpathSync.native(spelling));
  const isFolder = real.ok && statSync(real.value).isDirectory();
  if (isFolder && path.parse(real.value).root !== real.value) return { spelling, real: real.value };
  const what = isFolder ? 'is a whole disk' : 'is not a folder that can be read';
  throw new LspanError('not_found', `The additional root ${quotePath(given)} ${what}.`, {
    nextStep:
      'Start lspan with --additional-root DIR, an existing folder that holds what is meant and no more.',
  });
}

// A whole file system is never a library.
function openLibrary(given: string): Ground[] {
  const spelling = path.resolve(given);
  const real = attempt(() => realpathSync.native(spelling));
  if (!real.ok || path.parse(real.value).root === real.value) return [];
  return [
    { spelling, real: real.value },
    { spelling: real.value, real: real.value },
  ];
}

// macOS shows `/private/tmp` and `/private/var` under both names.
function spellings({ spelling, real }: Ground): Ground[] {
  const short =
    process.platform === 'darwin' && isPathWithin('/private', real) ? [real.slice('/private'.length)] : [];
  return [...new Set([spelling, real, ...short])].map((each) => ({ spelling: each, real }));
}

function longestFirst(grounds: readonly Ground[]): Ground[] {
  return [...grounds].sort((a, b) => b.spelling.length - a.spelling.length);
}
