import { dirname, join } from 'node:path';
import type { ProjectFacts } from '../definition.ts';

/** Finds the nearest folder above a file, up to the root, with one of these names. Cached: called often. */
export function folderAbove(
  { root, exists }: ProjectFacts,
  names: readonly string[],
  counts: (path: string) => boolean = () => true,
): (file: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  const find = (folder: string): string | undefined => {
    if (known.has(folder)) return known.get(folder);
    const isLast = folder === root || folder === dirname(folder);
    const has = names.map((name) => join(folder, name)).some((path) => exists(path) && counts(path));
    const found = has ? folder : isLast ? undefined : find(dirname(folder));
    known.set(folder, found);
    return found;
  };
  return (file) => find(dirname(file));
}
