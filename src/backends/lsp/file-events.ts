import type { Change, Workspace } from '../../workspace/workspace.ts';
import type { Capabilities } from './capabilities.ts';
import { concerns } from './file-interest.ts';
import type { Json } from './json.ts';
import { newFolders } from './new-folders.ts';
import type { ServerDefinition } from './server-definition.ts';
import { fileEvent, watchFilter } from './watched-files.ts';

/** The changes on the disk that a server is told of, as the protocol words them. */
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
