import { Packages } from '../source-text/packages/packages.ts';
import type { Change, Workspace } from './workspace.ts';

/** The packages of a workspace, kept until what says so changes, or files come or go. */
export class KnownPackages {
  readonly #workspace: PackageSource;
  #known: Known | undefined;

  constructor(workspace: PackageSource) {
    this.#workspace = workspace;
  }

  readonly packages: Workspace['packages'] = () => {
    this.#known ??= readPackages(this.#workspace);
    return this.#known.packages;
  };

  note(changes: readonly Change[]): void {
    if (changes.some(({ path, kind }) => kind !== 'changed' || this.#known?.read.has(path)))
      this.#known = undefined;
  }
}

/** Where manifests and configurations are read. */
export type PackageSource = Pick<Workspace, 'files' | 'read'>;

interface Known {
  readonly packages: Promise<Packages>;
  /** The files that were read for it. */
  readonly read: ReadonlySet<string>;
}

/** Reads what manifests and configurations say about the packages of a workspace. */
export function readPackages({ files, read }: PackageSource): Known {
  const done = new Set<string>();
  const packages = Packages.read(files(), async (file) => {
    done.add(file);
    return (await read(file).catch(() => undefined))?.text;
  });
  return { packages, read: done };
}
