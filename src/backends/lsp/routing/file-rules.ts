import { relative, sep } from 'node:path';
import { limits } from '../../../core/limits.ts';
import { matchesGlob, readGlobs } from '../../../core/runtime/glob.ts';

/** The servers for the files of a glob, the preferred first. */
interface Rule {
  readonly glob: string;
  readonly servers: readonly string[];
}

/** The user's choice of servers for files: the first glob that matches a file decides. */
export class FileRules {
  readonly #rules: readonly {
    readonly matches: (inside: string) => boolean;
    readonly servers: readonly string[];
  }[];
  readonly #known = new Map<string, readonly string[] | undefined>();

  constructor(rules: readonly Rule[]) {
    this.#rules = rules.map(({ glob, servers }) => ({ matches: compile(glob), servers }));
  }

  /** Returns the server ids for a file; `undefined` if no rule matches it. */
  of(path: string, root: string): readonly string[] | undefined {
    if (this.#rules.length === 0) return undefined;
    const known = this.#known.get(path);
    if (known !== undefined || this.#known.has(path)) return known;
    const inside = relative(root, path).split(sep).join('/');
    const servers = this.#rules.find(({ matches }) => matches(inside))?.servers;
    if (this.#known.size >= limits.scan.files) this.#known.clear();
    this.#known.set(path, servers);
    return servers;
  }
}

/** A glob without a folder matches files anywhere; one that is invalid or expands too far matches none. */
function compile(glob: string): (inside: string) => boolean {
  const whole = glob.includes('/') ? glob.replace(/^\//, '') : `**/${glob}`;
  const globs = readGlobs(whole, limits.watch.globs) ?? [];
  return (inside) => {
    const names = inside.split('/');
    return globs.some((one) => matchesGlob(one, names));
  };
}
