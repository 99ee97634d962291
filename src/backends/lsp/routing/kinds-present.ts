import { extname } from 'node:path';
import { changesFiles } from '../../../workspace/freshness/changes-files.ts';
import type { Change, Workspace } from '../../../workspace/workspace.ts';

/** Tells whether a root holds files of some extensions; remembers until files come or go. */
export class KindsPresent {
  readonly #workspace: Workspace;
  #known: Map<string, Set<string>> | undefined;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  holds(root: string, extensions: readonly string[]): boolean {
    const present = this.#all().get(root);
    return extensions.some((extension) => present?.has(`.${extension}`));
  }

  note(changes: readonly Change[]): void {
    if (changesFiles(changes)) this.#known = undefined;
  }

  #all(): ReadonlyMap<string, ReadonlySet<string>> {
    if (this.#known) return this.#known;
    this.#known = new Map(this.#workspace.roots.map((root) => [root, new Set()]));
    for (const path of this.#workspace.files()) {
      this.#known.get(this.#workspace.rootOf(path) ?? '')?.add(extname(path));
    }
    return this.#known;
  }
}
