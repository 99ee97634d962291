import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Standing } from '../../core/question.ts';
import { quotePath } from '../../core/wording/quote-path.ts';
import type { AllowedFolders, LocatedPath } from './allowed-folders.ts';
import { outsideWorkspace, readGivenPath } from './given-path.ts';
import { fileOfEnd, nearFiles } from './near-files.ts';
import { type RealPath, realPath } from './real-path.ts';
import { pathOfUri } from './uri.ts';

/** The path of a server's URI, and where it lies. */
interface PathOfUri {
  readonly path: string;
  readonly standing: Standing;
}

/** The files of the workspace that are known without asking the disk. */
interface KnownFiles {
  /** True if a real path is a regular file as of the latest barrier, or has an unsaved text. */
  isFile(real: string): boolean;
  /** Returns the real paths of all files. */
  files(): Iterable<string>;
}

/** Decides which paths lead into the workspace, for requests of agents and answers of servers. */
export class Gate {
  readonly #allowed: AllowedFolders;
  readonly #known: KnownFiles;
  readonly #shownFrom: string | undefined;
  readonly #byUri = new Map<string, PathOfUri>();
  /** Real paths by the spelling that agents gave. */
  readonly #byGivenPath = new Map<string, string>();

  constructor(allowed: AllowedFolders, known: KnownFiles) {
    this.#allowed = allowed;
    this.#known = known;
    const [first] = allowed.bases;
    this.#shownFrom = first && path.join(first, path.sep);
  }

  /** Returns the real path of the existing file that an agent names. */
  resolve(given: string): string {
    const before = this.#byGivenPath.get(given);
    if (before !== undefined && this.#known.isFile(before)) return before;
    const candidates = this.#candidates(readGivenPath(given));
    const [first] = candidates;
    // A regular file of the latest barrier has no link on its way.
    if (first && this.#known.isFile(first.path)) return this.#remember(given, first.path);
    const tried = candidates.map((located) => realPath(this.#allowed, located));
    const found = tried.find((each) => each.kind === 'found') ?? tried[0];
    if (!found || found.kind === 'outside') throw this.#outside(given);
    if (found.kind === 'missing' && this.#known.isFile(found.path)) return found.path;
    if (found.kind === 'missing') throw this.#missing(given, found.path);
    const complaint = complaintAbout(found);
    if (found.kind === 'found' && !complaint) return found.path;
    if (found.kind === 'found' && found.stats.isDirectory()) throw this.#folder(given, found.path);
    throw new LspanError('invalid_input', `${quotePath(given)} ${complaint}.`, {
      nextStep: 'Pass the path of a text file.',
    });
  }

  /** Returns where a server's URI lies. Called for every span of an answer, hence cached until something changes. */
  fromUri(uri: string): PathOfUri {
    const before = this.#byUri.get(uri);
    if (before) return before;
    if (this.#byUri.size >= limits.admittedUris) this.#byUri.clear();
    const admitted = this.#locateUri(uri);
    this.#byUri.set(uri, admitted);
    return admitted;
  }

  /** Like `fromUri`, but does not follow a link at the end; the entry need not exist. */
  entryFromUri(uri: string): PathOfUri {
    const reading = pathOfUri(uri);
    if ('wrong' in reading) return { path: uri, standing: 'outside' };
    const located = this.#allowed.locate(reading.path);
    if (!located) return { path: path.normalize(reading.path), standing: 'outside' };
    const { path: spelled, base, standing } = located;
    // A regular file of the latest barrier is not a link, and has none on its way.
    if (spelled === base || this.#known.isFile(spelled)) return { path: spelled, standing };
    const folder = realPath(this.#allowed, { base, standing, path: path.dirname(spelled) });
    const leads = folder.kind === 'found' || folder.kind === 'missing';
    return leads
      ? { path: path.join(folder.path, path.basename(spelled)), standing: folder.standing }
      : { path: spelled, standing: 'outside' };
  }

  /** Clears the caches, because the disk or the allowed folders have changed. */
  forget(): void {
    this.#byUri.clear();
    this.#byGivenPath.clear();
  }

  show(real: string): string {
    const prefix = this.#shownFrom;
    // Both are real paths, so comparing prefixes is enough; `path.relative` costs more than the rest of a location.
    if (prefix === undefined || !real.startsWith(prefix) || real === prefix) return real;
    const relative = real.slice(prefix.length);
    return path.sep === '/' ? relative : relative.replaceAll(path.sep, '/');
  }

  #remember(given: string, path: string): string {
    if (this.#byGivenPath.size >= limits.admittedUris) this.#byGivenPath.clear();
    this.#byGivenPath.set(given, path);
    return path;
  }

  #candidates(given: string): LocatedPath[] {
    const bases = path.isAbsolute(given) ? ['/'] : this.#allowed.bases;
    return bases.flatMap((base) => this.#allowed.locate(path.resolve(base, given)) ?? []);
  }

  #locateUri(uri: string): PathOfUri {
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

  /** Takes a path for one from the root of the workspace (`/src/a.ts`), or from another machine, if there is such a file. */
  #outside(given: string): LspanError {
    const inside = this.#allowed.bases.map((base) => path.join(base, given));
    const isWhole = path.isAbsolute(given);
    const meant =
      inside.find((each) => isWhole && this.#known.isFile(each)) ?? fileOfEnd(this.#known.files(), given);
    return outsideWorkspace(given, this.#allowed.bases, meant && this.show(meant));
  }

  #missing(given: string, missing: string): LspanError {
    const isPattern = /[*?]/.test(given);
    const near = isPattern
      ? []
      : nearFiles(this.#known.files(), given, path.dirname(missing)).map((each) =>
          quotePath(this.show(each)),
        );
    const reason = isPattern ? ': patterns are not expanded' : '';
    const nextStep = this.#isList(given)
      ? 'Pass one path a call, or a list where the tool takes `file_paths`.'
      : near.length > 0
        ? `Did you mean ${near.join(' or ')}?`
        : 'Pass the path of an existing file, relative to the root of the workspace.';
    return new LspanError('not_found', `There is no file ${quotePath(given)} in the workspace${reason}.`, {
      nextStep,
    });
  }

  /** True for several paths of files in one text. */
  #isList(given: string): boolean {
    const parts = given.split(/\s*[,;]\s*|\s+/);
    const isFile = (part: string) => this.#candidates(part).some(({ path: own }) => this.#known.isFile(own));
    return parts.length > 1 && parts.every((part) => part !== '' && isFile(part));
  }

  #folder(given: string, folder: string): LspanError {
    const inside = filesIn(this.#known, folder).map((each) => quotePath(this.show(each)));
    const such = inside.length === 0 ? '' : `, such as ${inside.join(' or ')}`;
    return new LspanError('invalid_input', `${quotePath(given)} is a folder, not a file.`, {
      nextStep: `Pass the path of a text file${such}.`,
    });
  }
}

/** Returns some files of a folder, those directly in it first. */
function filesIn(known: KnownFiles, folder: string): readonly string[] {
  const within = path.join(folder, path.sep);
  const inside = [...known.files()].filter((file) => file.startsWith(within)).sort();
  const isDeep = (file: string) => (path.dirname(file) === folder ? 0 : 1);
  return inside.sort((a, b) => isDeep(a) - isDeep(b)).slice(0, limits.path.nearNames);
}

function complaintAbout(followed: RealPath): string | undefined {
  if (followed.kind !== 'found') return 'cannot be read';
  if (followed.stats.isDirectory()) return 'is a folder';
  return followed.stats.isFile() ? undefined : 'is not a regular file';
}
