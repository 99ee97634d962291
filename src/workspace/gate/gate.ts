import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Standing } from '../../core/questions.ts';
import { quotePath } from '../../core/wording/quote-path.ts';
import type { AllowedFolders, LocatedPath } from './allowed-folders.ts';
import { outsideWorkspace, readGivenPath } from './given-path.ts';
import { type RealPath, realPath } from './real-path.ts';
import { pathOfUri } from './uri.ts';

/** A path that a server gave, and where it stands. */
export interface PathOfUri {
  readonly path: string;
  readonly standing: Standing;
}

/** What the gate may know of the workspace without asking the disk. */
export interface KnownFiles {
  /** Whether a real path is a regular file, as of the latest barrier, or its text is held. */
  isFile(real: string): boolean;
  /** Files with this name, at most `most`. */
  named(name: string, most: number): readonly string[];
}

/** Decides which paths lead into the workspace: for what agents ask and for what servers answer. */
export class Gate {
  readonly #allowed: AllowedFolders;
  readonly #known: KnownFiles;
  readonly #shownFrom: string | undefined;
  readonly #admitted = new Map<string, PathOfUri>();
  /** What agents call files, and the path that this spells. */
  readonly #spelled = new Map<string, string>();

  constructor(allowed: AllowedFolders, known: KnownFiles) {
    this.#allowed = allowed;
    this.#known = known;
    const [first] = allowed.roots;
    this.#shownFrom = first && path.join(first, path.sep);
  }

  /** The real path of the existing file that an agent means. */
  resolve(given: string): string {
    const before = this.#spelled.get(given);
    if (before !== undefined && this.#known.isFile(before)) return before;
    const candidates = this.#candidates(readGivenPath(given));
    const [first] = candidates;
    // What the latest barrier has seen as a regular file has no link on its way.
    if (first && this.#known.isFile(first.path)) return this.#remember(given, first.path);
    const tried = candidates.map((located) => realPath(this.#allowed, located));
    const found = tried.find((each) => each.kind === 'found') ?? tried[0];
    if (!found || found.kind === 'outside') throw outsideWorkspace(given);
    if (found.kind === 'missing' && this.#known.isFile(found.path)) return found.path;
    if (found.kind === 'missing') throw this.#missing(given, found.path);
    const complaint = complaintAbout(found);
    if (found.kind === 'found' && !complaint) return found.path;
    throw new LspanError('invalid_input', `${quotePath(given)} ${complaint}.`, {
      nextStep: 'Pass the path of a text file.',
    });
  }

  /** Where a server's URI stands. Asked for every span of an answer, hence remembered until something changes. */
  fromUri(uri: string): PathOfUri {
    const before = this.#admitted.get(uri);
    if (before) return before;
    if (this.#admitted.size >= limits.admittedUris) this.#admitted.clear();
    const admitted = this.#judge(uri);
    this.#admitted.set(uri, admitted);
    return admitted;
  }

  /** Where the entry stands that a URI names: a link at the end of the path is not followed, and nothing need be there. */
  entryFromUri(uri: string): PathOfUri {
    const reading = pathOfUri(uri);
    if ('wrong' in reading) return { path: uri, standing: 'outside' };
    const located = this.#allowed.locate(reading.path);
    if (!located) return { path: path.normalize(reading.path), standing: 'outside' };
    const { path: spelled, base, standing } = located;
    // What the latest barrier has seen as a regular file is no link, and has none on its way.
    if (spelled === base || this.#known.isFile(spelled)) return { path: spelled, standing };
    const folder = realPath(this.#allowed, { base, standing, path: path.dirname(spelled) });
    const leads = folder.kind === 'found' || folder.kind === 'missing';
    return leads
      ? { path: path.join(folder.path, path.basename(spelled)), standing: folder.standing }
      : { path: spelled, standing: 'outside' };
  }

  /** Forgets where URIs and paths stood; the disk or the territory has changed. */
  forget(): void {
    this.#admitted.clear();
    this.#spelled.clear();
  }

  /** Shown relative to the first root with `/`, else absolute. */
  show(real: string): string {
    const prefix = this.#shownFrom;
    // Both are real paths, so a prefix says all; `path.relative` would cost more than the rest of a location.
    if (prefix === undefined || !real.startsWith(prefix) || real === prefix) return real;
    const relative = real.slice(prefix.length);
    return path.sep === '/' ? relative : relative.replaceAll(path.sep, '/');
  }

  #remember(given: string, path: string): string {
    if (this.#spelled.size >= limits.admittedUris) this.#spelled.clear();
    this.#spelled.set(given, path);
    return path;
  }

  #candidates(given: string): LocatedPath[] {
    const bases = path.isAbsolute(given) ? ['/'] : this.#allowed.roots;
    return bases.flatMap((base) => this.#allowed.locate(path.resolve(base, given)) ?? []);
  }

  #judge(uri: string): PathOfUri {
    const reading = pathOfUri(uri);
    if ('wrong' in reading) return { path: uri, standing: 'outside' };
    const located = this.#allowed.locate(reading.path);
    if (!located) return { path: path.normalize(reading.path), standing: 'outside' };
    if (this.#known.isFile(located.path)) return { path: located.path, standing: located.standing };
    const followed = realPath(this.#allowed, located);
    const leads = followed.kind === 'found' || followed.kind === 'missing';
    return leads
      ? { path: followed.path, standing: followed.standing }
      : { path: located.path, standing: 'outside' };
  }

  #missing(given: string, missing: string): LspanError {
    const near = this.#known
      .named(path.basename(missing), limits.path.nearNames)
      .map((each) => quotePath(this.show(each)));
    const nextStep =
      near.length > 0
        ? `Did you mean ${near.join(' or ')}?`
        : 'Pass the path of an existing file, relative to the root of the workspace.';
    return new LspanError('not_found', `There is no file ${quotePath(given)} in the workspace.`, {
      nextStep,
    });
  }
}

function complaintAbout(followed: RealPath): string | undefined {
  if (followed.kind !== 'found') return 'cannot be read';
  if (followed.stats.isDirectory()) return 'is a directory';
  return followed.stats.isFile() ? undefined : 'is not a regular file';
}
