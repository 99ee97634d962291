import { basename } from 'node:path';
import picomatch from 'picomatch';
import { limits } from '../../../core/limits.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';
import { languageOf } from '../../../servers/language-of.ts';
import type { Change } from '../../../workspace/workspace.ts';

/** What a server certainly needs to know of: it may not have registered for it yet, or never does. */
export function concerns(definition: ServerDefinition, path: string): boolean {
  if (languageOf(path, definition) !== undefined) return true;
  return definition.projects?.markers?.includes(basename(path)) === true;
}

/** What a running server has read once and does not look at again: it is to be started anew when that changes. */
export function outdating({ files }: ServerDefinition): (path: string) => boolean {
  return matching(files?.restartsOn ?? []);
}

/** What a server is set up by: it reads that on the disk, though it may be of a language that it serves. */
export function settingUp({ projects, disk }: ServerDefinition): (path: string) => boolean {
  const isListed = matching(disk?.configFiles ?? []);
  return (path) => projects?.markers?.includes(basename(path)) === true || isListed(path);
}

function matching(below: readonly string[]): (path: string) => boolean {
  const globs = below.map((glob) => `**/${glob}`);
  return globs.length > 0 ? picomatch(globs, { dot: true }) : () => false;
}

/** The changed files that a server takes up only if they are opened, as many as there is room for. */
export function openedAtOnce(definition: ServerDefinition, changes: readonly Change[]): readonly string[] {
  const { readsOnlyOpen, opensCreated, opensChanged } = definition.sync ?? {};
  const isMeant = ({ path, kind }: Change) =>
    kind !== 'deleted' &&
    (readsOnlyOpen || (kind === 'created' ? opensCreated : opensChanged)) === true &&
    languageOf(path, definition) !== undefined;
  const room = readsOnlyOpen ? limits.openDocuments : limits.openCreated;
  const meant = changes.filter(isMeant).slice(0, room);
  return meant.map(({ path }) => path);
}

/** Files in the order in which they are opened: a server may read one at once, and what it includes with it. */
export function inOrderOfUse(paths: readonly string[], { sync }: ServerDefinition): readonly string[] {
  const { headers } = sync ?? {};
  if (!headers) return paths;
  const isHeader = (path: string) => headers.test(path);
  return [...paths.filter(isHeader), ...paths.filter((path) => !isHeader(path))];
}
