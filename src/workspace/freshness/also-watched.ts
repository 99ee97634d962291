import picomatch from 'picomatch';

/** The globs of files that count though they are ignored. */
export class AlsoWatched {
  readonly #globs = new Map<string, Glob>();

  /** Adds globs relative to a root; gives back which folders could hold something that only now was asked for. */
  add(globs: readonly string[]): ((inside: string) => boolean) | undefined {
    const added = globs
      .filter((glob) => !this.#globs.has(glob))
      .map((glob) => [glob, compile(glob)] as const);
    if (added.length === 0) return undefined;
    for (const [glob, compiled] of added) this.#globs.set(glob, compiled);
    return (inside) =>
      inside === '' || added.some(([, { segments }]) => isLeading(segments, inside.split('/'), 'anywhere'));
  }

  /** Whether a path relative to its root was asked for. */
  matches(inside: string): boolean {
    for (const { whole } of this.#globs.values()) if (whole(inside)) return true;
    return false;
  }

  /** Whether something below an ignored folder was asked for. A `**` does not reach into ignored folders by itself. */
  leadsInto(inside: string): boolean {
    const names = inside.split('/');
    for (const { segments } of this.#globs.values()) if (isLeading(segments, names, 'named')) return true;
    return false;
  }
}

interface Glob {
  readonly whole: (inside: string) => boolean;
  readonly segments: readonly Segment[];
}

type Segment = 'any folders' | ((name: string) => boolean);

function compile(glob: string): Glob {
  const segments = glob
    .split('/')
    .map((part) => (part === '**' ? 'any folders' : picomatch(part, { dot: true })));
  return { whole: picomatch(glob, { dot: true }), segments };
}

/** Whether a glob goes on below a folder; `named` when the folder itself must be matched by more than a `**`. */
function isLeading(
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
      isLeading(others, names, how) ||
      (deeper.length > 0 && isLeading(segments, deeper, how))
    );
  return segment(name) && (deeper.length === 0 || isLeading(others, deeper, how));
}
