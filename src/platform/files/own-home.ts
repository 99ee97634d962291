import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** What Node is given code by, instead of a script. */
const givesCode = /^-(?:e|pe?|-eval|-print)(?:=|$)/;

/**
 * Any of these is in the program that lspan was bundled into, which has the package beside it, or nothing. What Node says
 * comes before what a bundler may have written down: on this machine, a repository may lie at that path.
 */
const places: readonly (string | undefined)[] = [
  onDisk(fileOfScript()),
  fileOfModule(import.meta.url),
  onDisk(startedScript()),
];

/** The real folder of lspan's own package, with what ships in it; undefined where it is not with the program. */
export const ownHome: string | undefined = places.map(homeAbove).find((folder) => folder !== undefined);

/** What helps where it is not, as an instruction. */
export const bringHome =
  'Leave lspan out of what your bundler puts together (an external package), or have node_modules/lspan with all that it depends on at or above the place of the program.';

/** A manifest as it stands in a folder; undefined where there is none, or what is there is no JSON: it may be anybody's. */
export function manifestIn(folder: string): unknown {
  try {
    return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * The file of a module, by its `import.meta.url`. A bundler may have taken that away, or written down where the module
 * was when it ran, which may have been on another machine; within a program that is one file, no disk has it.
 */
export function fileOfModule(address: string | undefined): string | undefined {
  return address?.startsWith('file:///') ? onDisk(fileURLToPath(address)) : undefined;
}

/**
 * That of CommonJS, as what an extension of an editor is bundled to, which is loaded by a program that lies elsewhere.
 * `typeof` cannot tell whether there is one: webpack writes "string" in its place also where it makes modules.
 */
function fileOfScript(): string | undefined {
  try {
    return __filename;
  } catch {
    return undefined;
  }
}

/**
 * The script that Node was started with. Where it was given code, or is a packaged Electron, the first thing that the user
 * named stands in its place: a file of a repository, whose package.json may say any name.
 */
function startedScript(): string | undefined {
  const isArgument = 'type' in process || process.execArgv.some((flag) => givesCode.test(flag));
  const [, script = ''] = process.argv;
  return path.isAbsolute(script) && !isArgument ? script : undefined;
}

function onDisk(file: string | undefined): string | undefined {
  return file !== undefined && existsSync(file) ? realpathSync(file) : undefined;
}

/** By the name: folders inside a package may have a package.json of their own, as `dist` has. */
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

/** A folder and all that it lies in, the innermost first. */
export function upwards(from: string): string[] {
  const above = path.dirname(from);
  return above === from ? [from] : [from, ...upwards(above)];
}
