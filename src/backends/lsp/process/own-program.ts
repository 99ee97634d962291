import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { manifestIn, ownHome, upwards } from '../../../platform/files/own-home.ts';
import { isPathWithin } from '../../../platform/files/path-within.ts';

/** Returns the real folder of an npm package that lspan, or its dependency `via`, depends on. */
export function ownPackage(name: string, roots: readonly string[], via?: string): string | undefined {
  const owner = via === undefined ? ownHome : ownPackage(via, roots);
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
