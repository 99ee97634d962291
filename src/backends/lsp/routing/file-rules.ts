import { relative, sep } from 'node:path';
import { limits } from '../../../core/limits.ts';
import { matchesGlob, readGlobs } from '../../../core/runtime/glob.ts';

/** The servers that are asked about files of a glob, the preferred first. */
interface Rule {
  readonly glob: string;
  readonly servers: readonly string[];
}

/** Which servers the user wants for which files: the first glob that matches a file decides. */
export class FileRules {
  readonly #rules: readonly {
    readonly matches: (inside: string) => boolean;
    readonly servers: readonly string[];
  }[];
  readonly #known = new Map<string, readonly string[] | undefined>();

  constructor(rules: readonly Rule[]) {
    this.#rules = rules.map(({ glob, servers }) => ({ matches: compile(glob), servers }));
  }

  /** The ids of the servers of a file; none where no rule speaks of it. */
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

/** A glob without a folder is meant for files anywhere; one that cannot be read, or stands for too many, is for none. */
function compile(glob: string): (inside: string) => boolean {
  const whole = glob.includes('/') ? glob.replace(/^\//, '') : `**/${glob}`;
  const globs = readGlobs(whole, limits.watch.globs) ?? [];
  return (inside) => {
    const names = inside.split('/');
    return globs.some((one) => matchesGlob(one, names));
  };
}
