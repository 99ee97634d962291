import { basename, dirname, join } from 'node:path';
import { limits } from '../../../core/limits.ts';
import { isWithin } from '../../../platform/files/is-within.ts';
import type { ProjectFacts, ServerDefinition } from '../../../servers/definition.ts';
import type { Workspace } from '../../../workspace/workspace.ts';

/** The folders that a server is told as those of the work: the root, or those of the projects where it asks for these. */
export function projectFolders(
  { foldersOf }: ServerDefinition,
  facts: ProjectFacts,
  workspace: Workspace,
): readonly string[] {
  const { root } = facts;
  if (!foldersOf) return [root];
  const names = new Set(foldersOf.markers);
  const found = new Set<string>();
  for (const file of workspace.files()) {
    if (!names.has(basename(file)) || !isWithin(root, file)) continue;
    found.add(joinedAt(dirname(file), foldersOf.unless, facts) ?? dirname(file));
  }
  return found.size === 0 ? [root] : [...found].sort().slice(0, limits.loadedProjects);
}

/** The nearest folder, up to the root, that stands for this one; such a file is often ignored, hence the look. */
function joinedAt(folder: string, names: readonly string[], facts: ProjectFacts): string | undefined {
  if (names.some((name) => facts.exists(join(folder, name)))) return folder;
  return folder === facts.root ? undefined : joinedAt(dirname(folder), names, facts);
}
