import { basename } from 'node:path';
import { limits } from '../../core/limits.ts';
import type { Change } from '../../workspace/workspace.ts';
import { languageOf } from './language-of.ts';
import type { ServerDefinition } from './server-definition.ts';

/** What a server certainly needs to know of: it may not have registered for it yet, or never does. */
export function concerns(definition: ServerDefinition, path: string): boolean {
  if (languageOf(path, definition) !== undefined) return true;
  return definition.projectMarkers?.includes(basename(path)) === true;
}

/** The changed files that a server takes up only if they are opened, as many as there is room for. */
export function openedAtOnce(definition: ServerDefinition, changes: readonly Change[]): readonly string[] {
  const { opensCreated, opensChanged, readsOnlyOpen } = definition;
  const isMeant = ({ path, kind }: Change) =>
    kind !== 'deleted' &&
    (readsOnlyOpen || (kind === 'created' ? opensCreated : opensChanged)) === true &&
    languageOf(path, definition) !== undefined;
  const room = readsOnlyOpen ? limits.openDocuments : limits.openCreated;
  const meant = changes.filter(isMeant).slice(0, room);
  return meant.map(({ path }) => path);
}

/** Files in the order in which they are opened: a server may read one at once, and what it includes with it. */
export function inOrderOfUse(paths: readonly string[], { includes }: ServerDefinition): readonly string[] {
  if (!includes) return paths;
  const isFirst = (path: string) => includes.test(path);
  return [...paths.filter(isFirst), ...paths.filter((path) => !isFirst(path))];
}
