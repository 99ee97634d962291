import { basename, dirname, join } from 'node:path';
import { limits } from '../../core/limits.ts';
import { groupBy } from '../../core/runtime/group-by.ts';
import type { ProjectFacts } from '../definition.ts';
import { type Inclusion, inclusionsOf } from './c-inclusions.ts';
import { libraryNames } from './c-library.ts';

/**
 * Returns options by which a compiler finds the files of a root that its other files include, for a root that does not say
 * how it is compiled. A folder counts if an include leads only there. What the system has under a name in angle brackets
 * is preferred, because the file may mean that.
 */
export function includeOptions(facts: ProjectFacts, files: readonly string[]): readonly string[] {
  const byName = groupBy(files, (file) => basename(file));
  const found = new Set<string>();
  const ambiguous = new Set<string>();
  const note = (file: string, { name, isQuoted }: Inclusion) => {
    if (libraryNames(name).length > 0 && !isQuoted) return;
    const [folder, ...others] = foldersOf(name, file, byName.get(basename(name)) ?? []);
    if (others.length > 0) ambiguous.add(name);
    else if (folder !== undefined) found.add(`${isQuoted ? '-iquote' : '-idirafter'}\0${folder}`);
  };
  for (const file of files.slice(0, limits.compiledFilesRead))
    for (const inclusion of inclusionsOf(facts.read(file) ?? '')) note(file, inclusion);
  // A folder would also decide what else is found there, and so what may be meant elsewhere.
  const isSure = ([, folder = '']: readonly string[]) =>
    ![...ambiguous].some((name) => facts.exists(join(folder, name)));
  return [...found]
    .sort()
    .map((option) => option.split('\0'))
    .filter(isSure)
    .flat();
}

/** Returns the folders in which a name leads to a file; none if it is found without any option. */
function foldersOf(name: string, from: string, candidates: readonly string[]): readonly string[] {
  if (candidates.includes(join(dirname(from), name))) return [];
  const ending = `/${name}`;
  return candidates
    .filter((file) => file !== from && file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length));
}
