import { basename, dirname, join } from 'node:path';
import { limits } from '../../core/limits.ts';
import { isWithin } from '../../platform/is-within.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { ProjectFacts, ServerDefinition } from './server-definition.ts';

/** The folders that a server is told as those of the work: the root, or those of the projects where it asks for these. */
export function projectFolders(
  { foldersOf }: ServerDefinition,
  { root, exists }: ProjectFacts,
  workspace: Workspace,
): readonly string[] {
  if (!foldersOf || foldersOf.unless.some((name) => exists(join(root, name)))) return [root];
  const names = new Set(foldersOf.markers);
  const found = new Set<string>();
  for (const file of workspace.files()) {
    if (names.has(basename(file)) && isWithin(root, file)) found.add(dirname(file));
  }
  return found.size === 0 ? [root] : [...found].sort().slice(0, limits.loadedProjects);
}
