import { basename, dirname } from 'node:path';
import type { Membership, ReadText, ServerDefinition } from '../../../servers/definition.ts';
import { languageOf } from '../../../servers/language-of.ts';

/** The projects of a server in the workspace, each with a file that makes the server load it. */
export interface Projects {
  /** One file for each project with a marker. */
  readonly representatives: readonly string[];
  /** Files of no project: the server knows each only once it is open. */
  readonly loose: readonly string[];
  /** Maps each served file to the file to open so that the server sees it: that of its project, or itself. */
  readonly doors: ReadonlyMap<string, string>;
}

/** Finds projects among files: the nearest marker above a file decides which project it may belong to. */
export async function findProjects(
  files: Iterable<string>,
  definition: ServerDefinition,
  read: ReadText,
): Promise<Projects> {
  const names = new Set(definition.projects?.markers);
  const served: string[] = [];
  const markers = new Map<string, string>();
  for (const file of files) {
    if (names.has(basename(file))) markers.set(dirname(file), file);
    if (languageOf(file, definition) !== undefined) served.push(file);
  }
  const nearest = nearestAmong(new Set(markers.keys()));
  const below = new Map<string, string[]>();
  const loose: string[] = [];
  for (const file of served) {
    const folder = nearest(dirname(file));
    if (folder === undefined) loose.push(file);
    else append(below, folder, file);
  }
  const doors = new Map(loose.map((file) => [file, file]));
  for (const [folder, own] of below) {
    const projects = await projectsAt(markers.get(folder) ?? folder, definition, read);
    const projectOf = (file: string) => projects.find(({ includes }) => includes(file))?.id;
    for (const [file, door] of share(own, projectOf, loose)) doors.set(file, door);
  }
  return summarize(doors, loose);
}

/** Finds projects if the definition itself assigns files to projects. */
export function nameProjects(
  files: Iterable<string>,
  definition: ServerDefinition,
  projectOf: (file: string) => string | undefined,
): Projects {
  const served = [...files].filter((file) => languageOf(file, definition) !== undefined);
  const loose: string[] = [];
  return summarize(share(served, projectOf, loose), loose);
}

/** Maps each file to the first file of its project, or to itself if it belongs to none. */
function share(
  files: readonly string[],
  projectOf: (file: string) => string | undefined,
  loose: string[],
): Map<string, string> {
  const representatives = new Map<string, string>();
  const doors = new Map<string, string>();
  for (const file of [...files].sort()) {
    const project = projectOf(file);
    if (project === undefined) loose.push(file);
    else if (!representatives.has(project)) representatives.set(project, file);
    doors.set(file, representatives.get(project ?? '') ?? file);
  }
  return doors;
}

function summarize(doors: ReadonlyMap<string, string>, loose: readonly string[]): Projects {
  const alone = new Set(loose);
  const representatives = [...new Set(doors.values())].filter((file) => !alone.has(file));
  return { representatives: representatives.sort(), loose: [...loose].sort(), doors };
}

async function projectsAt(
  marker: string,
  definition: ServerDefinition,
  read: ReadText,
): Promise<readonly Membership[]> {
  return definition.projects?.ofMarker?.(marker, read) ?? [{ id: marker, includes: () => true }];
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const known = lists.get(key);
  if (known) known.push(value);
  else lists.set(key, [value]);
}

function nearestAmong(folders: ReadonlySet<string>): (folder: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  const find = (folder: string): string | undefined => {
    if (folders.has(folder)) return folder;
    if (known.has(folder)) return known.get(folder);
    const parent = dirname(folder);
    const found = parent === folder ? undefined : find(parent);
    known.set(folder, found);
    return found;
  };
  return find;
}
