import { extname } from 'node:path';
import type { Doubt } from '../../../core/doubts.ts';
import { limits } from '../../../core/limits.ts';
import { isPathWithin } from '../../../platform/files/path-within.ts';
import type { Change, Workspace } from '../../../workspace/workspace.ts';
import type { Session } from '../session/session.ts';
import { findProjects, nameProjects, type Projects } from './projects.ts';

/** Finds the files concerned by a search when needed; `undefined` for any file. */
export type Concerned = () => Promise<readonly string[] | undefined>;

/** Opens files so that servers see what they would not search: unknown projects, and files of no project. */
export class ProjectLoader {
  readonly #workspace: Workspace;
  readonly #found = new Map<string, Promise<Projects>>();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Opens a file of each concerned project, and concerned loose files; doubts those over the limit. */
  async load(session: Session, concerned: Concerned): Promise<readonly Doubt[]> {
    const projects = await this.#projectsOf(session);
    const wanted = projects ? await wantedOf(session, projects, concerned) : [];
    if (wanted.length === 0) return [];
    await session.documents.sync([], wanted.slice(0, limits.loadedProjects));
    const left = wanted.filter((file) => !session.documents.isOpen(file)).length;
    if (left === 0) return [];
    const { id } = session.definition;
    const detail = `${left} more projects, or files that no project includes, are not known to ${id}.`;
    return [{ kind: 'project_not_loaded', server: id, detail }];
  }

  /** Returns whether the server sees everything it serves, so that no search needs loading. */
  async seesAll(session: Session): Promise<boolean> {
    const projects = await this.#projectsOf(session);
    const isOpen = (door: string) => session.documents.isOpen(door);
    return (
      projects === undefined || (projects.loose.every(isOpen) && neededOf(session, projects).every(isOpen))
    );
  }

  /** Returns whether the server sees a file that it serves. */
  async sees(session: Session, file: string): Promise<boolean> {
    const projects = await this.#projectsOf(session);
    const door = projects?.doors.get(file);
    if (door === undefined || session.documents.isOpen(door)) return true;
    // A file of no project is its own door. A project that needs no opening is seen without it.
    return (
      projects?.representatives.includes(door) === true && session.definition.projects?.loadsOnOpen !== true
    );
  }

  /** Counts the projects of other files, besides that of `file`. */
  async projectsBeside(session: Session, file: string, others: readonly string[]): Promise<number> {
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
  #projectsOf(session: Session): Promise<Projects> | undefined {
    const { id, projects } = session.definition;
    if (projects?.loadsOnOpen !== true && projects?.ofFile === undefined) return undefined;
    const key = `${id}\0${session.root}`;
    const found = this.#found.get(key) ?? this.#find(session);
    this.#found.set(key, found);
    return found;
  }

  /** Markers define projects across all roots, since one project may use another. */
  async #find({ definition, root, facts }: Session): Promise<Projects> {
    const projectOf = definition.projects?.ofFile?.(facts);
    const files = this.#workspace.files();
    if (projectOf) {
      const own = [...files].filter((file) => isPathWithin(root, file));
      return nameProjects(own, definition, projectOf);
    }
    const read = async (path: string) => (await this.#workspace.read(path).catch(() => undefined))?.text;
    return findProjects(files, definition, read);
  }
}

const configurations: ReadonlySet<string> = new Set(['.json', '.toml']);

/** Returns the files to open so that the server sees the concerned files: projects, then loose files. */
async function wantedOf(
  session: Session,
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
function neededOf({ definition }: Session, { representatives }: Projects): readonly string[] {
  return definition.projects?.loadsOnOpen === true ? representatives : [];
}
