import { basename, dirname, join } from 'node:path';
import { limits } from '../../core/limits.ts';
import { groupBy } from '../../core/runtime/group-by.ts';
import type { ProjectFacts } from '../definition.ts';
import { inclusionsOf } from './c-inclusions.ts';
import { libraryNames } from './c-library.ts';

/**
 * Returns options by which a compiler finds the files of a root that its other files include, for a root that does not say
 * how it is compiled. A folder counts if an include leads only there. What the system has under a name in angle brackets
 * is preferred, because the file may mean that.
 */
export function includeOptions(facts: ProjectFacts, files: readonly string[]): readonly string[] {
  const byName = groupBy(files, (file) => basename(file));
  const folders = new Map<string, Set<string>>();
  for (const file of files.slice(0, limits.compiledFilesRead)) {
    for (const { name, isQuoted } of inclusionsOf(facts.read(file) ?? '')) {
      if (libraryNames(name).length > 0 && !isQuoted) continue;
      const folder = folderOf(name, file, byName.get(basename(name)) ?? []);
      const option = isQuoted ? '-iquote' : '-idirafter';
      if (folder !== undefined) folders.set(option, (folders.get(option) ?? new Set()).add(folder));
    }
  }
  return [...folders].flatMap(([option, found]) => [...found].sort().flatMap((folder) => [option, folder]));
}

/** Returns the only folder in which a name leads to a file; `undefined` if it is found without any option. */
function folderOf(name: string, from: string, candidates: readonly string[]): string | undefined {
  if (candidates.includes(join(dirname(from), name))) return undefined;
  const ending = `/${name}`;
  const folders = candidates
    .filter((file) => file !== from && file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length));
  return folders.length === 1 ? folders[0] : undefined;
}
