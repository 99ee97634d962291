import type { Json } from '../../../core/runtime/json.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';
import type { Change, Workspace } from '../../../workspace/workspace.ts';
import type { Capabilities } from '../protocol/capabilities.ts';
import { fileEvent, watchFilter } from '../protocol/watched-files.ts';
import { concerns } from './file-interest.ts';
import { newFolders } from './new-folders.ts';

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
