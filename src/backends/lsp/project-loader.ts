import { extname } from 'node:path';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import type { Change, Workspace } from '../../workspace/workspace.ts';
import { findProjects, nameProjects, type Projects } from './projects.ts';
import type { ProjectFacts, ServerDefinition } from './server-definition.ts';
import type { Session } from './session.ts';

/** Makes servers that know only opened projects know all of them before they search, whichever root they serve. */
export class ProjectLoader {
  readonly #workspace: Workspace;
  readonly #found = new Map<ServerDefinition, Promise<Projects>>();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Opens one file of each project that the server does not know yet; a doubt for those that were too many. */
  async load(session: Session): Promise<readonly Doubt[]> {
    const { definition } = session;
    if (definition.loadsOnOpen !== true) return [];
    const { representatives, loose } = await this.#projectsOf(session);
    const wanted = [...representatives, ...loose];
    await session.documents.sync([], wanted.slice(0, limits.loadedProjects));
    const left = wanted.length - limits.loadedProjects;
    if (left <= 0) return [];
    const detail = `${left} more projects, or files that no project includes, are not known to ${definition.id}.`;
    return [{ kind: 'project_not_loaded', server: definition.id, detail }];
  }

  /** Forgets what is known where files came or went, or configuration may have changed. */
  note(changes: readonly Change[]): void {
    if (changes.some(({ kind, path }) => kind !== 'changed' || extname(path) === '.json'))
      this.#found.clear();
  }

  #projectsOf({ definition, facts }: Session): Promise<Projects> {
    const known = this.#found.get(definition);
    if (known) return known;
    const found = this.#find(definition, facts);
    this.#found.set(definition, found);
    return found;
  }

  async #find(definition: ServerDefinition, facts: ProjectFacts): Promise<Projects> {
    const { projectOf } = definition;
    const files = this.#workspace.files();
    if (projectOf) return nameProjects(files, definition, projectOf(facts));
    const read = async (path: string) => (await this.#workspace.read(path).catch(() => undefined))?.text;
    return findProjects(files, definition, read);
  }
}
