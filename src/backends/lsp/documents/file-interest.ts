import { basename } from 'node:path';
import picomatch from 'picomatch';
import { limits } from '../../../core/limits.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';
import { languageOf } from '../../../servers/language-of.ts';
import type { Change } from '../../../workspace/workspace.ts';

/** What a server certainly needs to know of: it may not have registered for it yet, or never does. */
export function concerns(definition: ServerDefinition, path: string): boolean {
  if (languageOf(path, definition) !== undefined) return true;
  return definition.projectMarkers?.includes(basename(path)) === true;
}

/** What a running server has read once and does not look at again: it is to be started anew when that changes. */
export function outdating({ restartsOn = [] }: ServerDefinition): (path: string) => boolean {
  return matching(restartsOn);
}

/** What a server is set up by: it reads that on the disk, though it may be of a language that it serves. */
export function settingUp({
  projectMarkers = [],
  setUpBy = [],
}: ServerDefinition): (path: string) => boolean {
  const isListed = matching(setUpBy);
  return (path) => projectMarkers.includes(basename(path)) || isListed(path);
}

function matching(below: readonly string[]): (path: string) => boolean {
  const globs = below.map((glob) => `**/${glob}`);
  return globs.length > 0 ? picomatch(globs, { dot: true }) : () => false;
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
