import { basename } from 'node:path';
import picomatch from 'picomatch';
import { limits } from '../../../core/limits.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';
import { languageOf } from '../../../servers/language-of.ts';
import type { Change } from '../../../workspace/workspace.ts';

/** Returns whether a server needs changes of a file in any case: it may register for it late, or never. */
export function concerns(definition: ServerDefinition, path: string): boolean {
  if (languageOf(path, definition) !== undefined) return true;
  return definition.projects?.markers?.includes(basename(path)) === true;
}

/** Matches files that a running server reads only once: it must restart when they change. */
export function outdating({ files }: ServerDefinition): (path: string) => boolean {
  return matching(files?.restartsOn ?? []);
}

/** Matches configuration files: a server reads them from disk, even if it serves their language. */
export function settingUp({ projects, disk }: ServerDefinition): (path: string) => boolean {
  const isListed = matching(disk?.configFiles ?? []);
  return (path) => projects?.markers?.includes(basename(path)) === true || isListed(path);
}

function matching(below: readonly string[]): (path: string) => boolean {
  const globs = below.map((glob) => `**/${glob}`);
  return globs.length > 0 ? picomatch(globs, { dot: true }) : () => false;
}

/** Returns the changed files that a server takes up only if they are opened, up to a limit. */
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

/** Sorts files for opening, headers first: a server may read a file at once, with what it includes. */
export function inOrderOfUse(paths: readonly string[], { sync }: ServerDefinition): readonly string[] {
  const { headers } = sync ?? {};
  if (!headers) return paths;
  const isHeader = (path: string) => headers.test(path);
  return [...paths.filter(isHeader), ...paths.filter((path) => !isHeader(path))];
}
