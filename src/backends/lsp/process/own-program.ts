import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { manifestIn, ownHome, upwards } from '../../../platform/files/own-home.ts';
import { isPathWithin } from '../../../platform/files/path-within.ts';

/** Where a package of a server is searched. */
interface PackageSearch {
  /** Real paths of the workspace, from where nothing is run. */
  readonly roots: readonly string[];
  /** Folders that `lspan install` has filled. */
  readonly installed: readonly string[];
  /** The package that depends on the searched one. Default: lspan's own. */
  readonly via?: string | undefined;
}

/** Returns the real folder of an npm package that lspan, or its dependency `via`, depends on, or that was installed by it. */
export function ownPackage(name: string, search: PackageSearch): string | undefined {
  return shippedPackage(name, search.roots, search.via) ?? installedPackage(name, search);
}

/** Below the folder only: what is above it is not of lspan. */
function installedPackage(name: string, { roots, installed, via }: PackageSearch): string | undefined {
  const isRepository = (folder: string) => roots.some((root) => isPathWithin(root, folder));
  for (const folder of installed.filter((each) => !isRepository(each))) {
    const owner = path.join(folder, 'node_modules', via ?? name);
    const inner = path.join(owner, 'node_modules', name);
    const places = via === undefined ? [owner] : [inner, path.join(folder, 'node_modules', name)];
    const found = existsSync(owner) && places.find((place) => existsSync(path.join(place, 'package.json')));
    if (found) return realpathSync(found);
  }
  return undefined;
}

function shippedPackage(name: string, roots: readonly string[], via?: string): string | undefined {
  const owner = via === undefined ? ownHome : shippedPackage(via, roots);
  const folder = owner === undefined ? undefined : installedFor(owner, name);
  if (owner === undefined || folder === undefined) return undefined;
  // npm may have put it next to lspan, in the user's own tree: accept only declared dependencies there.
  return inWorkspace(folder, roots) && !declares(owner, name) ? undefined : folder;
}

/** True if a real path is user code. The innermost folder decides: lspan may be installed within a root. */
export function inWorkspace(file: string, roots: readonly string[]): boolean {
  const innermost = (folders: readonly string[]) =>
    Math.max(-1, ...folders.filter((folder) => isPathWithin(folder, file)).map((folder) => folder.length));
  return innermost(roots) > innermost(installation);
}

/** Only what npm installed, not the whole package folder, which is user code in a checkout. */
const installation = ['dist', 'node_modules'].flatMap((name) =>
  ownHome === undefined ? [] : [path.join(ownHome, name)],
);

function installedFor(owner: string, name: string): string | undefined {
  const places = upwards(owner).map((folder) => path.join(folder, 'node_modules', name));
  const found = places.find((place) => existsSync(path.join(place, 'package.json')));
  return found === undefined ? undefined : realpathSync(found);
}

function declares(owner: string, name: string): boolean {
  const manifest = manifestIn(owner);
  return ['dependencies', 'optionalDependencies'].some(
    (kind) => field(field(manifest, kind), name) !== undefined,
  );
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([name]) => name === key)?.[1]
    : undefined;
}
