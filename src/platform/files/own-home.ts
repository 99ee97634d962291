import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The bundle of one file that this module is in; not there otherwise. `bundle-file.ts` writes it. */
declare const lspanBundle: {
  readonly texts: Readonly<Record<string, string>>;
  /** Runs a module of the bundle; returns what it exports. */
  load(name: string): unknown;
};

/** Flags that give Node code instead of a script. */
const givesCode = /^-(?:e|pe?|-eval|-print)(?:=|$)/;

/**
 * Files of lspan, or of the program that lspan was bundled into, which may have the package next to it. A path from
 * Node comes before one that a bundler may have written down: on this machine, a repository may be at that path.
 */
const places: readonly (string | undefined)[] = [
  onDisk(fileOfScript()),
  fileOfModule(import.meta.url),
  onDisk(startedScript()),
];

/** The real folder of lspan's own package, with the files that ship in it; `undefined` if the program lacks it. */
export const ownHome: string | undefined = places.map(homeAbove).find((folder) => folder !== undefined);

/** The texts of a bundle of one file, by their names in the package; `undefined` if this is none. */
const bundled: Readonly<Record<string, string>> | undefined =
  typeof lspanBundle === 'undefined' ? undefined : lspanBundle.texts;

/** The package that keeps indexes, of which a bundle has a copy. */
export const sqlitePackage = 'node-sqlite3-wasm';

/** Returns what a package exports that a bundle of one file has in it; `undefined` if this is none. */
export function bundledPackage(name: string): unknown {
  return typeof lspanBundle === 'undefined' ? undefined : lspanBundle.load(name);
}

/** Returns what a package exports that lspan depends on; `undefined` if it is not installed beside lspan. */
export function installedPackage(name: string): unknown {
  if (ownHome === undefined || fileOfPackage(name) === undefined) return undefined;
  return createRequire(path.join(ownHome, 'package.json'))(name);
}

/** Returns a file of a package that lspan depends on; `undefined` if it is not installed. */
export function fileOfPackage(name: string): string | undefined {
  if (ownHome === undefined) return undefined;
  try {
    return createRequire(path.join(ownHome, 'package.json')).resolve(name);
  } catch {
    return undefined;
  }
}

/** The instruction for users if the package is missing. */
export const bringHome: string = bundled
  ? 'Install the package of lspan in the folder of this file or above it; for TypeScript, lspan install vtsls is enough.'
  : "Mark lspan as external in your bundler, or put node_modules/lspan and its dependencies at or above the program's folder.";

/** Returns the manifest in a folder, which may be of any package; `undefined` if it is missing or not JSON. */
export function manifestIn(folder: string): unknown {
  return jsonIn(path.join(folder, 'package.json'));
}

/** Returns a JSON file that ships with lspan; `undefined` if it is missing. */
export function ownJson(name: string): unknown {
  const text = bundled?.[name];
  if (text !== undefined) return JSON.parse(text);
  return ownHome === undefined ? undefined : jsonIn(path.join(ownHome, name));
}

/** Returns a text that ships with lspan; `undefined` if it is missing. */
export function ownText(name: string): string | undefined {
  if (bundled?.[name] !== undefined) return bundled[name];
  const file = ownHome === undefined ? undefined : path.join(ownHome, name);
  return file !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Returns the file of a module by its `import.meta.url`. A bundler may have removed that, or replaced it by a path on
 * the machine where it ran; in a program that is a single file, no disk has it.
 */
export function fileOfModule(address: string | undefined): string | undefined {
  return address?.startsWith('file:///') ? onDisk(fileURLToPath(address)) : undefined;
}

/** Returns the file of a CommonJS bundle, as editors load it. Webpack turns `typeof` into "string" even in modules. */
function fileOfScript(): string | undefined {
  try {
    return __filename;
  } catch {
    return undefined;
  }
}

/**
 * Returns the script that Node was started with. If Node was given code, or is a packaged Electron, that argument is
 * instead the user's first one: perhaps a file of a repository, whose package.json may claim any name.
 */
function startedScript(): string | undefined {
  const isArgument = 'type' in process || process.execArgv.some((flag) => givesCode.test(flag));
  const [, script = ''] = process.argv;
  return path.isAbsolute(script) && !isArgument ? script : undefined;
}

function onDisk(file: string | undefined): string | undefined {
  return file !== undefined && existsSync(file) ? realpathSync(file) : undefined;
}

/** Searches by name: folders inside a package, such as `dist`, may have a package.json of their own. */
function homeAbove(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const above = upwards(path.dirname(file));
  const own = above.find(isHome);
  if (own !== undefined) return own;
  const installed = above.map((folder) => path.join(folder, 'node_modules', 'lspan')).find(isHome);
  return installed === undefined ? undefined : realpathSync(installed);
}

function isHome(folder: string): boolean {
  const manifest = manifestIn(folder);
  return typeof manifest === 'object' && manifest !== null && 'name' in manifest && manifest.name === 'lspan';
}

/** Returns a folder and all folders above it, the innermost first. */
export function upwards(from: string): string[] {
  const above = path.dirname(from);
  return above === from ? [from] : [from, ...upwards(above)];
}
