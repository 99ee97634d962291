import { dirname } from 'node:path';
import type { Doubt } from '../../../core/doubts.ts';
import { isPathWithin } from '../../../platform/files/path-within.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';
import { languageOf } from '../../../servers/language-of.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import type { Workspace } from '../../../workspace/workspace.ts';

/**
 * Doubts that a server answers as if files were missing: it was sent their texts, but looks for them on disk.
 * @param isOffer True if the question is about names that are not imported yet.
 */
export function notOnDiskDoubts(
  definition: ServerDefinition,
  workspace: Workspace,
  texts: ReadonlyMap<string, Document>,
  isOffer = false,
): readonly Doubt[] {
  const { id, disk: { imports: what, visibleOnlyByImport } = {} } = definition;
  if (what === undefined || what === 'texts') return [];
  const isNew = (path: string) => languageOf(path, definition) !== undefined && !workspace.isSaved(path);
  const created = [...texts].filter(([path]) => isNew(path));
  const isFound = (text: string) =>
    what === 'folders' || (what === 'projects' && !isOffer && visibleOnlyByImport?.test(text) === true);
  const isSeen = ([path, { text }]: readonly [string, Document]) =>
    isFound(text) && isSavedFolder(workspace, dirname(path));
  if (created.every(isSeen)) return [];
  const detail = `${id} finds ${found[what]} only on disk: new ones may be reported as missing.`;
  return [{ kind: 'project_not_loaded', server: id, detail }];
}

const found = {
  files: 'imported files',
  projects: 'project files',
  folders: 'folders of imported files',
} as const;

/** Returns whether a folder has a file on disk, as far as known. */
function isSavedFolder(workspace: Workspace, folder: string): boolean {
  if (workspace.roots.includes(folder)) return true;
  for (const path of workspace.files())
    if (isPathWithin(folder, path) && workspace.isSaved(path)) return true;
  return false;
}
