import { basename, dirname, extname } from 'node:path';
import type { Doubt } from '../../../core/doubts.ts';
import { limits } from '../../../core/limits.ts';
import { isPathWithin } from '../../../platform/files/path-within.ts';
import type { Membership, ReadText, ServerDefinition } from '../../../servers/definition.ts';
import { languageOf } from '../../../servers/language-of.ts';
import type { Change, Workspace } from '../../../workspace/workspace.ts';
import type { Session } from '../session/session.ts';

/** Finds the files concerned by a search when needed; `undefined` for any file. */
type Concerned = () => Promise<readonly string[] | undefined>;

/** The part of a session that a search needs: what the server is, and which documents it has open. */
export interface SearchSession extends Pick<Session, 'definition' | 'root' | 'facts'> {
  readonly documents: Pick<Session['documents'], 'sync' | 'isOpen'>;
}

/** Opens files so that servers see what they would not search: unknown projects, and files of no project. */
export class ProjectLoader {
  readonly #workspace: Workspace;
  readonly #found = new Map<string, Promise<Projects>>();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Opens a file of each concerned project, and concerned loose files; doubts those over the limit. */
  async load(session: SearchSession, concerned: Concerned): Promise<readonly Doubt[]> {
    const projects = await this.#projectsOf(session);
    const wanted = projects ? await wantedOf(session, projects, concerned) : [];
    if (wanted.length === 0) return [];
    await session.documents.sync([], wanted.slice(0, limits.loadedProjects));
    const left = wanted.filter((file) => !session.documents.isOpen(file)).length;
    if (left === 0) return [];
    const { id } = session.definition;
    const detail = `${left} more projects, or files outside any project, are not loaded in ${id}.`;
    return [{ kind: 'project_not_loaded', server: id, detail }];
  }

  /** Returns whether the server sees everything it serves, so that no search needs loading. */
  async seesAll(session: SearchSession): Promise<boolean> {
    const projects = await this.#projectsOf(session);
    const isOpen = (door: string) => session.documents.isOpen(door);
    return (
      projects === undefined || (projects.loose.every(isOpen) && neededOf(session, projects).every(isOpen))
    );
  }

  /**
   * Returns which files the server would not even see if a question about them opened their projects: those beyond the
   * number of projects that are loaded. What earlier questions opened does not matter, unless there are that many.
   */
  async unseen(session: SearchSession, files: readonly string[]): Promise<ReadonlySet<string>> {
    const projects = await this.#projectsOf(session);
    const needsOpening = session.definition.projects?.loadsOnOpen === true;
    const doorOf = (file: string) => projects?.doors.get(file);
    // A file of no project is its own door. A project that needs no opening is seen without it.
    const closed = (door: string | undefined): door is string =>
      door !== undefined && (needsOpening || projects?.representatives.includes(door) !== true);
    const doors = [...new Set(files.map(doorOf).filter(closed))];
    const toOpen = doors.filter((door) => !session.documents.isOpen(door));
    const left = new Set(toOpen.slice(Math.max(0, limits.loadedProjects - (doors.length - toOpen.length))));
    return new Set(files.filter((file) => left.has(doorOf(file) ?? '')));
  }

  /** Returns which project each file of a server belongs to; `undefined` if the server does not say. */
  async membership(session: SearchSession): Promise<ProjectMembership | undefined> {
    const projects = await this.#projectsOf(session);
    if (projects === undefined) return undefined;
    const { doors, representatives, loose } = projects;
    const [hasProjects, hasSeveral] = [representatives.length > 0, representatives.length > 1];
    return { doors, hasProjects, hasSeveral, loose: new Set(loose) };
  }

  /** Counts the projects of other files, besides that of `file`. */
  async projectsBeside(session: SearchSession, file: string, others: readonly string[]): Promise<number> {
    const doors = (await this.#projectsOf(session))?.doors;
    const beside = new Set(others.flatMap((other) => doors?.get(other) ?? []));
    beside.delete(doors?.get(file) ?? '');
    return beside.size;
  }

  /** Clears the cache if files were created or deleted, or configuration may have changed. */
  note(changes: readonly Change[]): void {
    if (changes.some(({ kind, path }) => kind !== 'changed' || configurations.has(extname(path))))
      this.#found.clear();
  }

  /** `undefined` if the server sees everything by itself. */
  #projectsOf(session: SearchSession): Promise<Projects> | undefined {
    const { id, projects } = session.definition;
    if (projects?.loadsOnOpen !== true && projects?.ofFile === undefined) return undefined;
    const key = `${id}\0${session.root}`;
    const found = this.#found.get(key) ?? this.#find(session);
    this.#found.set(key, found);
    return found;
  }

  /** Markers define projects across all roots, since one project may use another. */
  async #find({ definition, root, facts }: SearchSession): Promise<Projects> {
    const projectOf = definition.projects?.ofFile?.(facts);
    const files = this.#workspace.files();
    if (projectOf) {
      const own = [...files].filter((file) => isPathWithin(root, file));
      return nameProjects(own, definition, projectOf, definition.projects?.includedByOthers?.(facts));
    }
    const read = async (path: string) => (await this.#workspace.read(path).catch(() => undefined))?.text;
    return findProjects(files, definition, read);
  }
}

/** The projects of files. */
export interface ProjectMembership {
  /** Maps each served file to a file of its project that makes the server load it, or to itself. */
  readonly doors: ReadonlyMap<string, string>;
  readonly hasProjects: boolean;
  /** True if there is more than one project. */
  readonly hasSeveral: boolean;
  /** Files of no project. */
  readonly loose: ReadonlySet<string>;
}

const configurations: ReadonlySet<string> = new Set(['.json', '.toml']);

/** Returns the files to open so that the server sees the concerned files: projects, then loose files. */
async function wantedOf(
  session: SearchSession,
  projects: Projects,
  concerned: Concerned,
): Promise<readonly string[]> {
  const { loose, doors } = projects;
  const needed = neededOf(session, projects);
  // Search for the files only if that can make a difference.
  if (needed.length <= 1 && loose.length === 0) return needed;
  const files = await concerned();
  if (files === undefined) return session.definition.projects?.ofFile ? needed : [...needed, ...loose];
  const wanted = new Set(files.map((file) => doors.get(file)));
  return [...needed, ...loose].filter((door) => wanted.has(door));
}

/** Returns the representatives of projects, if the server does not find these by itself. */
function neededOf({ definition }: SearchSession, { representatives }: Projects): readonly string[] {
  return definition.projects?.loadsOnOpen === true ? representatives : [];
}

/** The projects of a server in the workspace, each with a file that makes the server load it. */
interface Projects {
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
    for (const [file, door] of share(own.sort(), projectOf, loose)) doors.set(file, door);
  }
  return summarize(doors, loose);
}

/** Finds projects if the definition itself assigns files to projects. */
function nameProjects(
  files: Iterable<string>,
  definition: ServerDefinition,
  projectOf: (file: string) => string | undefined,
  isIncluded: (file: string) => boolean = () => false,
): Projects {
  const served = [...files].filter((file) => languageOf(file, definition) !== undefined).sort();
  const loose: string[] = [];
  // Of two files, the one to open is the one that is not read with others.
  const ordered = [...served.filter((file) => !isIncluded(file)), ...served.filter(isIncluded)];
  return summarize(share(ordered, projectOf, loose), loose);
}

/** Maps each file to the first file of its project, or to itself if it belongs to none. */
function share(
  files: readonly string[],
  projectOf: (file: string) => string | undefined,
  loose: string[],
): Map<string, string> {
  const representatives = new Map<string, string>();
  const doors = new Map<string, string>();
  for (const file of files) {
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
