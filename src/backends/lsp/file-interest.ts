import { basename } from 'node:path';
import type { Change } from '../../workspace/workspace.ts';
import { languageOf } from './language-of.ts';
import type { ServerDefinition } from './server-definition.ts';

/** What a server certainly needs to know of: it may not have registered for it yet, or never does. */
export function concerns(definition: ServerDefinition, path: string): boolean {
  if (languageOf(path, definition) !== undefined) return true;
  return definition.projectMarkers?.includes(basename(path)) === true;
}

/** Whether a server takes a change up only if the file is opened. */
export function opensAtOnce(definition: ServerDefinition, change: Change): boolean {
  const { opensCreated, opensChanged, readsOnlyOpen } = definition;
  const isMeant = readsOnlyOpen || (change.kind === 'created' ? opensCreated : opensChanged);
  if (isMeant !== true || change.kind === 'deleted') return false;
  return languageOf(change.path, definition) !== undefined;
}
