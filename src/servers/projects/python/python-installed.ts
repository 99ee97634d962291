import { join } from 'node:path';
import type { ProjectFacts } from '../../definition.ts';
import { sitePackages } from './python-environment.ts';
import type { PythonNode } from './python-tree.ts';

/** What is installed in the environment of a workspace: the program imports that, not what the repository has of its name. */
export class InstalledModules {
  readonly #facts: ProjectFacts;
  readonly #folders: readonly { readonly path: string; readonly names: ReadonlySet<string> }[];

  constructor(facts: ProjectFacts) {
    this.#facts = facts;
    this.#folders = sitePackages(facts).map((path) => ({ path, names: new Set(facts.list(path)) }));
  }

  /** True if a module is installed that is no copy of the package in this folder. */
  hides(own: PythonNode, folder: string): boolean {
    return this.#folders.some(({ path, names }) => {
      const isThere = names.has(`${own.name}.py`) || (names.has(own.name) && this.#isSame(own, path));
      return isThere && !this.#isCopy(folder, names);
    });
  }

  /** Parts of a package that is spread over several folders may be installed, if not the same ones. */
  #isSame(own: PythonNode, installed: string): boolean {
    const { exists } = this.#facts;
    const inside = join(installed, own.name);
    if (own.isWhole || exists(join(inside, '__init__.py'))) return true;
    return [...own.below.keys()].some(
      (name) => exists(join(inside, name)) || exists(join(inside, `${name}.py`)),
    );
  }

  #isCopy(folder: string, names: ReadonlySet<string>): boolean {
    const known = new Set([...names].flatMap((name) => distribution.exec(name)?.[1] ?? []).map(normal));
    const texts = ['pyproject.toml', 'setup.cfg', 'setup.py'].map((name) =>
      this.#facts.read(join(folder, name)),
    );
    return texts.some((text = '') =>
      [...text.matchAll(named)].some(([, name = '']) => known.has(normal(name))),
    );
  }
}

/** `one_two-1.0.dist-info`, `one.egg-info` */
const distribution = /^([\w.]{1,200})(?:-[^/]{1,200})?\.(?:dist|egg)-info$/;

const named = /\bname["']?\s{0,9}=\s{0,9}["']?([\w.-]{1,200})/g;

/** https://packaging.python.org/en/latest/specifications/name-normalization/ */
function normal(name: string): string {
  return name.replace(/[-_.]{1,200}/g, '-').toLowerCase();
}
