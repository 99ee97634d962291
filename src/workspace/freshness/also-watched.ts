import picomatch from 'picomatch';

/** Globs of files that are watched even if they are ignored. */
export class AlsoWatched {
  readonly #globs = new Map<string, Glob>();

  /** Adds globs relative to a root. Returns a predicate of the folders that may contain newly matched files, if any. */
  add(globs: readonly string[]): ((inside: string) => boolean) | undefined {
    const added = globs
      .filter((glob) => !this.#globs.has(glob))
      .map((glob) => [glob, compile(glob)] as const);
    if (added.length === 0) return undefined;
    for (const [glob, compiled] of added) this.#globs.set(glob, compiled);
    return (inside) =>
      inside === '' ||
      added.some(([, { segments }]) => matchesBelow(segments, inside.split('/'), 'anywhere'));
  }

  /** True if a glob matches a path relative to its root. */
  matches(inside: string): boolean {
    for (const { whole } of this.#globs.values()) if (whole(inside)) return true;
    return false;
  }

  /** True if a glob can match below an ignored folder. A `**` does not reach into ignored folders by itself. */
  canMatchBelow(inside: string): boolean {
    const names = inside.split('/');
    for (const { segments } of this.#globs.values()) if (matchesBelow(segments, names, 'named')) return true;
    return false;
  }
}

interface Glob {
  readonly whole: (inside: string) => boolean;
  readonly segments: readonly Segment[];
}

type Segment = 'any folders' | ((name: string) => boolean);

function compile(glob: string): Glob {
  const segments = glob.split('/').map((part) => (part === '**' ? 'any folders' : matcher(part)));
  return { whole: matcher(glob), segments };
}

/** Most globs are plain names, which need no regular expression: to make one takes longer than to compare thousands of names. */
function matcher(glob: string): (text: string) => boolean {
  return /^[\w./-]+$/.test(glob) ? (text) => text === glob : picomatch(glob, { dot: true });
}

/** True if a glob can match below a folder; if `named`, the folder must be matched by more than a `**`. */
function matchesBelow(
  segments: readonly Segment[],
  names: readonly string[],
  how: 'named' | 'anywhere',
): boolean {
  const [segment, ...others] = segments;
  const [name, ...deeper] = names;
  if (segment === undefined || name === undefined || others.length === 0) return false;
  if (segment === 'any folders')
    return (
      how === 'anywhere' ||
      matchesBelow(others, names, how) ||
      (deeper.length > 0 && matchesBelow(segments, deeper, how))
    );
  return segment(name) && (deeper.length === 0 || matchesBelow(others, deeper, how));
}
