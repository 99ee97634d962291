import { basename, dirname } from 'node:path';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import type { ServerDefinition } from './server-definition.ts';
import type { Session } from './session.ts';
import { languageOf } from './session-documents.ts';

/** The projects of a server below one root, each by a file that makes the server load it. */
export interface Projects {
  /** One file for each project that a marker names. */
  readonly representatives: readonly string[];
  /** Files that belong to no project: the server knows each only once it is open. */
  readonly loose: readonly string[];
}

/** Finds the projects among the files of a root: the nearest marker above a file decides. */
export function findProjects(files: Iterable<string>, root: string, definition: ServerDefinition): Projects {
  const markers = new Set(definition.projectMarkers);
  const served: string[] = [];
  const folders = new Set<string>();
  for (const file of files) {
    if (markers.has(basename(file))) folders.add(dirname(file));
    if (isBelow(file, root) && languageOf(file, definition) !== undefined) served.push(file);
  }
  const members = new Map<string, string[]>();
  const loose: string[] = [];
  const nearest = nearestAmong(folders);
  for (const file of served) {
    const folder = nearest(dirname(file));
    if (folder === undefined) loose.push(file);
    else append(members, folder, file);
  }
  const representatives = [...members].map(([folder, own]) => representative(folder, own));
  return { representatives: representatives.sort(), loose: loose.sort() };
}

/** Opens one file of each project that the server does not know yet; a doubt for those that were too many. */
export async function loadProjects(session: Session, projects: Projects): Promise<readonly Doubt[]> {
  const wanted = [...projects.representatives, ...projects.loose];
  const opened = wanted.slice(0, limits.loadedProjects);
  await session.documents.sync([], opened);
  const left = wanted.length - opened.length;
  if (left === 0) return [];
  const { id } = session.definition;
  return [
    {
      kind: 'project_not_loaded',
      server: id,
      detail: `${left} more projects or files outside any project were not loaded into ${id}.`,
    },
  ];
}

/** A file of the folder that holds most of the project, since markers often cover only that. */
function representative(folder: string, files: readonly string[]): string {
  const byPart = new Map<string, string[]>();
  for (const file of files) {
    const part = file.slice(folder.length + 1).split('/')[0] ?? '';
    append(byPart, part, file);
  }
  const largest = [...byPart.values()].sort((a, b) => b.length - a.length)[0] ?? files;
  return [...largest].sort()[0] ?? folder;
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

function isBelow(file: string, root: string): boolean {
  return file.startsWith(root.endsWith('/') ? root : `${root}/`);
}
