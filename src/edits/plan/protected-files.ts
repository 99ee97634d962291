import path from 'node:path';
import { limits } from '../../core/limits.ts';
import { isProtected } from '../../core/protected-paths.ts';
import { isPathWithin } from '../../platform/files/path-within.ts';
import type { WorkspaceView } from '../edits.ts';
import type { Refusals } from './refusals.ts';
import type { VirtualTree } from './virtual-tree.ts';

/** Collects the paths of a plan that decide which programs run; the caller must have named each of them. */
export class ProtectedFiles {
  readonly #view: WorkspaceView;
  readonly #tree: VirtualTree;
  readonly #refusals: Refusals;
  readonly #touched = new Set<string>();
  #walked = 0;

  constructor(view: WorkspaceView, tree: VirtualTree, refusals: Refusals) {
    this.#view = view;
    this.#tree = tree;
    this.#refusals = refusals;
  }

  /** Adds the path of an entry that the plan changes; returns whether it is protected. */
  add(place: string): boolean {
    const found = this.#isProtected(place);
    if (found) this.#touched.add(place);
    return found;
  }

  /** Adds an entry that is moved or removed, with its contents; for a protected folder, only the folder. */
  addAll(place: string, to?: string): void {
    this.#walked++;
    if (this.#walked > limits.scan.files) throw this.#refusals.tooManyFiles();
    const covered = this.add(place);
    const coveredThere = to !== undefined && !covered && this.add(to);
    if (covered || coveredThere || this.#tree.look(place).kind !== 'folder') return;
    for (const name of this.#tree.names(place))
      this.addAll(path.join(place, name), to === undefined ? undefined : path.join(to, name));
  }

  /** Returns the protected paths. Throws unless the caller named each, in any spelling that was shown. */
  permitted(named: readonly string[]): readonly string[] {
    const allowed = new Set(named.map(normalised));
    const touched = [...this.#touched].sort();
    const refused = touched.filter((place) => !this.#spellings(place).some((each) => allowed.has(each)));
    if (refused.length > 0) throw this.#refusals.protected(refused);
    return touched;
  }

  #isProtected(place: string): boolean {
    return this.#relatives(place).some(isProtected);
  }

  #spellings(place: string): string[] {
    return [place, this.#view.show(place), ...this.#relatives(place)].map(normalised);
  }

  #relatives(place: string): string[] {
    const roots = this.#view.roots.filter((root) => isPathWithin(root, place));
    return roots.map((root) => path.relative(root, place));
  }
}

function normalised(given: string): string {
  return path.normalize(given).replaceAll('\\', '/').replace(/\/$/, '');
}
