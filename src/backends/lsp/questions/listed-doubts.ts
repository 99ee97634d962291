import type { Doubt } from '../../../core/doubts.ts';
import type { Place } from '../../../core/questions.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { unseenDoubts } from '../doubts/files-not-on-disk.ts';
import { unsaved } from '../doubts/unsaved-files.ts';

/** Why a server may offer too few files in a path: it lists them on the disk, though it finds a new one by its name. */
export async function listedDoubts(
  definition: ServerDefinition,
  { path, position }: Place,
  workspace: Workspace,
): Promise<readonly Doubt[]> {
  const held = workspace.held();
  if (held.size === 0 || definition.importsFromDisk !== 'folders') return [];
  const before = (await workspace.read(path)).line(position.line).slice(0, position.character);
  return inQuotes.test(before)
    ? unsaved(unseenDoubts({ ...definition, importsFromDisk: 'files' }, workspace, held))
    : [];
}

/** What stands before a place in a path, or perhaps in another string: that is not worth telling apart. */
const inQuotes = /["'`][^"'`]*$/;
