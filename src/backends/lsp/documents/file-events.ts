import { dirname } from 'node:path';
import type { Json } from '../../../core/runtime/json.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';
import type { Change, Workspace } from '../../../workspace/workspace.ts';
import type { Capabilities } from '../protocol/capabilities.ts';
import { fileEvent, watchFilter } from '../protocol/watched-files.ts';
import { concerns } from './file-interest.ts';

/** Returns the changes on disk that a server is notified of, as LSP file events. */
export function fileEvents(
  changes: readonly Change[],
  definition: ServerDefinition,
  { watching }: Capabilities,
  workspace: Workspace,
): readonly Json[] {
  const asked = watchFilter(watching);
  const told = changes.filter((change) => concerns(definition, change.path) || asked(change));
  const folders = newFolders(told, workspace).filter(asked);
  return [...folders, ...told].map((change) => fileEvent(change, workspace.uri(change.path)));
}

/**
 * Returns the folders that came with created files as changes, outer ones first. A server that caches
 * listings does not look into a folder that it was not notified of.
 */
function newFolders(changes: readonly Change[], { roots, files }: Workspace): readonly Change[] {
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
