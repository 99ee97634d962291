import path from 'node:path';
import { limits } from '../../core/limits.ts';
import { isProtected } from '../../core/protected-paths.ts';
import { isPathWithin } from '../../platform/files/path-within.ts';
import type { WorkspaceView } from '../edits.ts';
import type { Refusals } from './refusals.ts';
import type { VirtualTree } from './virtual-tree.ts';

/** Collects the paths of a plan that decide what is run, for which the caller must have named each of them. */
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

  /** A file, a link or a folder is touched as such; whether it was protected. */
  add(place: string): boolean {
    const found = this.#isProtected(place);
    if (found) this.#touched.add(place);
    return found;
  }

  /** What is at a path is moved or removed with all that is in it; of a protected folder only itself is told. */
  addAll(place: string, to?: string): void {
    this.#walked++;
    if (this.#walked > limits.scan.files) throw this.#refusals.tooManyFiles();
    const covered = this.add(place);
    const coveredThere = to !== undefined && !covered && this.add(to);
    if (covered || coveredThere || this.#tree.look(place).kind !== 'folder') return;
    for (const name of this.#tree.names(place))
      this.addAll(path.join(place, name), to === undefined ? undefined : path.join(to, name));
  }

  /** The touched paths. Throws unless the caller named each, in whatever spelling it was shown. */
  permitted(named: readonly string[]): readonly string[] {
    const allowed = new Set(named.map(plain));
    const touched = [...this.#touched].sort();
    const refused = touched.filter((place) => !this.#spellings(place).some((each) => allowed.has(each)));
    if (refused.length > 0) throw this.#refusals.protected(refused);
    return touched;
  }

  #isProtected(place: string): boolean {
    return this.#relatives(place).some(isProtected);
  }

  #spellings(place: string): string[] {
    return [place, this.#view.show(place), ...this.#relatives(place)].map(plain);
  }

  #relatives(place: string): string[] {
    const holding = this.#view.roots.filter((root) => isPathWithin(root, place));
    return holding.map((root) => path.relative(root, place));
  }
}

function plain(given: string): string {
  return path.normalize(given).replaceAll('\\', '/').replace(/\/$/, '');
}
