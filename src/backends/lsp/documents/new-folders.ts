import { dirname } from 'node:path';
import type { Change, Workspace } from '../../../workspace/workspace.ts';

/**
 * The folders that came with created files, as changes of their own, the outer ones first. A server that keeps
 * listings does not look into a folder that it was never told of.
 */
export function newFolders(changes: readonly Change[], { roots, files }: Workspace): readonly Change[] {
  const created = new Set(changes.filter(({ kind }) => kind === 'created').map(({ path }) => path));
  const folders = new Set<string>();
  for (const path of created)
    for (let folder = dirname(path); isNews(folder); folder = dirname(folder)) folders.add(folder);
  if (folders.size === 0) return [];
  for (const path of files()) {
    if (folders.size === 0) break;
    if (!created.has(path))
      for (let folder = dirname(path); folders.delete(folder); folder = dirname(folder));
  }
  return [...folders].sort().map((path) => ({ kind: 'created', path }));

  function isNews(folder: string): boolean {
    return !folders.has(folder) && !roots.includes(folder) && folder !== dirname(folder);
  }
}
