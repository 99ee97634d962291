import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { manifestIn, ownHome, upwards } from '../../../platform/files/own-home.ts';
import { isPathWithin } from '../../../platform/files/path-within.ts';

/**
 * The real folder of an npm package that lspan depends on, or that its package `via` does.
 * npm may have put it beside lspan, in the user's own tree; there, only declared dependencies are taken.
 */
export function ownPackage(name: string, roots: readonly string[], via?: string): string | undefined {
  const owner = via === undefined ? ownHome : ownPackage(via, roots);
  const folder = owner === undefined ? undefined : installedFor(owner, name);
  if (owner === undefined || folder === undefined) return undefined;
  return inWorkspace(folder, roots) && !declares(owner, name) ? undefined : folder;
}

/**
 * Whether a real path belongs to the user's work. lspan's own installation does not, wherever it lies:
 * of the folders that hold the path, the innermost decides.
 */
export function inWorkspace(file: string, roots: readonly string[]): boolean {
  const innermost = (folders: readonly string[]) =>
    Math.max(-1, ...folders.filter((folder) => isPathWithin(folder, file)).map((folder) => folder.length));
  return innermost(roots) > innermost(installation);
}

/** What npm put there, and not the whole package folder: in a checkout that one is somebody's work. */
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
