import path from 'node:path';
import { isRecord, type Json, object } from '../../core/runtime/json.ts';
import { bestPattern, parse, type ReadFile } from './compiler-options.ts';

/** What a `package.json` says about modules. */
export interface Package {
  readonly folder: string;
  readonly name: string | undefined;
  readonly manifest: Json;
  /** Names of the packages that it depends on. */
  readonly required: ReadonlySet<string>;
  /** Packages that it calls by another name, or by their folder. */
  readonly linked: ReadonlyMap<string, Linked>;
}

interface Linked {
  readonly name?: string;
  readonly folder?: string;
}

/** Reads a `package.json`. */
export async function readPackage(file: string, read: ReadFile): Promise<Package> {
  const folder = path.dirname(file);
  const manifest = parse(await read(file));
  const { name } = manifest;
  const listed = dependencies.flatMap((key) => Object.entries(object(manifest[key])));
  return {
    folder,
    name: typeof name === 'string' ? name : undefined,
    manifest,
    // A dependency that leads to another folder may be a package of the workspace under another name.
    required: new Set(listed.flatMap(([one, version]) => (link.test(String(version)) ? [] : [one]))),
    linked: new Map(
      listed.flatMap(([one, version]) => {
        const target = linkedBy(String(version), folder);
        return target ? [[one, target] as const] : [];
      }),
    ),
  };
}

const dependencies = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

const link = /^(?:file|link|portal|workspace|npm):/;

function linkedBy(version: string, folder: string): Linked | undefined {
  const [, , target = ''] = /^(file|link|portal):(.*)$/.exec(version) ?? [];
  if (target !== '') return { folder: path.resolve(folder, target) };
  const [, name] = /^(?:workspace|npm):((?:@[^/@]+\/)?[^/@*^~.\d][^/@]*)@/.exec(version) ?? [];
  if (name !== undefined) return { name };
  const [, below = ''] = /^workspace:(\.{1,2}\/.*)$/.exec(version) ?? [];
  return below === '' ? undefined : { folder: path.resolve(folder, below) };
}

/** Returns the files that a package names as its entry, for any condition. */
export function entriesOf({ manifest }: Package, subpath: string): string[] {
  const { exports, main, module, types, typings, typesVersions } = manifest;
  const named = exports === undefined ? [] : leavesOf(exportOf(exports, subpath));
  const typed = Object.values(object(typesVersions)).flatMap((one) => typedEntries(one, subpath));
  if (subpath !== '.') return [...typed, ...(exports === undefined ? [subpath] : named)];
  return [...named, ...typed, ...leavesOf([types, typings, module, main])];
}

function typedEntries(versions: unknown, subpath: string): readonly string[] {
  const patterns = Object.entries(object(versions)).map(([key, value]) => [key, leavesOf(value)] as const);
  return bestPattern(subpath === '.' ? 'index.d.ts' : subpath.slice(2), patterns) ?? [];
}

function exportOf(exports: unknown, subpath: string): unknown {
  const isMap = isRecord(exports) && Object.keys(exports).some((key) => key.startsWith('.'));
  if (!isMap) return subpath === '.' ? exports : undefined;
  return bestPattern(subpath, patternsOf(exports));
}

/** Returns what a package calls by a name that begins with `#`: paths in the package, or other modules. */
export function innerImport({ manifest }: Package, module: string): readonly string[] {
  return bestPattern(module, patternsOf(object(manifest.imports))) ?? [];
}

function patternsOf(map: Json): (readonly [pattern: string, targets: readonly string[]])[] {
  // A folder is an old form of a pattern.
  return Object.entries(map).map(([key, value]) => {
    const isFolder = key.endsWith('/') && !key.includes('*');
    const leaves = leavesOf(value);
    return isFolder ? [`${key}*`, leaves.map((leaf) => `${leaf}*`)] : [key, leaves];
  });
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  return isRecord(value) ? Object.values(value).flatMap(leavesOf) : [];
}
