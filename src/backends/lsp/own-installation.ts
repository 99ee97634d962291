import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isWithin } from '../../platform/is-within.ts';

/**
 * The real folder of an npm package that lspan depends on, or that its package `via` does.
 * npm may have put it beside lspan, in the user's own tree; there, only declared dependencies are taken.
 */
export function ownPackage(name: string, roots: readonly string[], via?: string): string | undefined {
  const owner = via === undefined ? home : ownPackage(via, roots);
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
    Math.max(-1, ...folders.filter((folder) => isWithin(folder, file)).map((folder) => folder.length));
  return innermost(roots) > innermost(installation);
}

/** By the name: folders inside a package may have a package.json of their own, as `dist` has. */
const home = upwards(path.dirname(realpathSync(fileURLToPath(import.meta.url)))).find(
  (folder) => field(manifestOf(folder), 'name') === 'lspan',
);

/** What npm put there, and not the whole package folder: in a checkout that one is somebody's work. */
const installation = home === undefined ? [] : ['dist', 'node_modules'].map((name) => path.join(home, name));

function installedFor(owner: string, name: string): string | undefined {
  const places = upwards(owner).map((folder) => path.join(folder, 'node_modules', name));
  const found = places.find((place) => existsSync(path.join(place, 'package.json')));
  return found === undefined ? undefined : realpathSync(found);
}

function declares(owner: string, name: string): boolean {
  const manifest = manifestOf(owner);
  return ['dependencies', 'optionalDependencies'].some(
    (kind) => field(field(manifest, kind), name) !== undefined,
  );
}

function manifestOf(folder: string): unknown {
  const file = path.join(folder, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([name]) => name === key)?.[1]
    : undefined;
}

function upwards(from: string): string[] {
  const above = path.dirname(from);
  return above === from ? [from] : [from, ...upwards(above)];
}
