import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { LspanError } from '../../../core/errors.ts';
import { instructionHere } from '../../../core/wording/shell-words.ts';
import { executableFault, programFiles } from '../../../platform/files/executable.ts';
import { hideHome } from '../../../platform/files/hide-home.ts';
import { bringHome, ownHome } from '../../../platform/files/own-home.ts';
import { isPathWithin } from '../../../platform/files/path-within.ts';
import { type RealFile, realFile } from '../../../platform/files/real-file.ts';
import { installedFolders } from '../../../platform/install/servers-folder.ts';
import type { ProgramSource } from '../../../servers/definition.ts';
import { ownPackage } from './own-program.ts';
import { pathFolders, workspaceFault } from './search-path.ts';

/** A server's program as it was found. */
export interface Program {
  /** Absolute path to run. Its last part may be a link: some programs act by the name they are called by. */
  readonly file: string;
  /** Real path of the program, outside the workspace; the script's path if Node runs one. */
  readonly real: string;
  /** Arguments that come before the server's own. */
  readonly args: readonly string[];
  /** The rule that found it, for the status. */
  readonly origin: string;
}

/** The server whose program is searched, and where. */
interface ProgramSearch {
  readonly server: string;
  /** How to install it, as an instruction. */
  readonly install: string;
  /** Real paths of the workspace, from where nothing is run. */
  readonly roots: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Returns the first program that exists and may be run. Throws `not_installed` and names those rejected. */
export function findProgram(sources: readonly ProgramSource[], search: ProgramSearch): Program {
  const passedBy: string[] = [];
  for (const source of sources) {
    const program = find(source, search, passedBy);
    if (program) return program;
  }
  const message = [nothingFound(search.server), ...passedBy].join(' ');
  throw new LspanError('not_installed', hideHome(message), {
    nextStep: hideHome(instructionHere(search.install)),
  });
}

/** Returns the absolute path of a program in PATH that may be run; `undefined` if there is none. */
export function programInPath(
  name: string,
  search: Pick<ProgramSearch, 'roots' | 'environment'>,
): string | undefined {
  return findInPath(name, search, [])?.file;
}

/** The message for a server of which no program was found. */
export function nothingFound(server: string): string {
  return `No program for ${server} was found.`;
}

/** Appends to `passedBy` a sentence about each program that exists but cannot be run. */
function find(source: ProgramSource, search: ProgramSearch, passedBy: string[]): Program | undefined {
  switch (source.kind) {
    case 'package':
      return findInPackage(source, search, passedBy);
    case 'path':
      return findInPath(source.name, search, passedBy, source.proxy);
    case 'home':
      return findAtHome(source, search, passedBy);
    case 'command':
      return findCommand(source.command, search, passedBy);
  }
}

function findInPackage(
  source: Extract<ProgramSource, { kind: 'package' }>,
  search: ProgramSearch,
  passedBy: string[],
): Program | undefined {
  const name = fill(source.name);
  const installed = installedFolders(search.environment);
  const folder = ownPackage(name, { roots: search.roots, installed, via: source.via });
  if (folder === undefined) {
    if (source.ships && ownHome === undefined)
      passedBy.push(`It is in lspan's package, which this program lacks. ${bringHome}`);
    return undefined;
  }
  const real = path.join(folder, fill(source.file));
  const isInstalled = installed.some((each) => isPathWithin(each, folder));
  const origin = isInstalled
    ? `package ${name}, by lspan install`
    : `package ${name} of lspan's installation`;
  const fault = source.run === 'node' ? scriptFault(real) : executableFault(real);
  if (fault !== undefined) {
    passedBy.push(`${real} ${fault}.`);
    return undefined;
  }
  if (source.run !== 'node') return { file: real, args: [], real, origin };
  const node = nodeFor(search, passedBy);
  return node === undefined ? undefined : { file: node, args: [real], real, origin };
}

/** Finds a runtime for scripts. A program that embeds lspan may not be Node, and would start itself again. */
function nodeFor(search: ProgramSearch, passedBy: string[]): string | undefined {
  const isNode = /^(?:node|bun)/i.test(path.basename(process.execPath));
  if (isNode || process.versions.electron !== undefined) return process.execPath;
  const found = findInPath('node', search, passedBy)?.file;
  if (found === undefined)
    passedBy.push(`It needs Node, which ${process.execPath} is not, and there is no node in PATH.`);
  return found;
}

function scriptFault(real: string): string | undefined {
  return existsSync(real) ? undefined : 'does not exist';
}

/** Fills in the platform, for packages that are published separately for each one. */
function fill(text: string): string {
  return text.replace(/\$\{(\w+)\}/g, (whole, key: string) => machine[key] ?? whole);
}

const machine: Readonly<Record<string, string>> = {
  platform: process.platform,
  arch: process.arch,
  exe: process.platform === 'win32' ? '.exe' : '',
};

function findAtHome(
  { folder, name }: Extract<ProgramSource, { kind: 'home' }>,
  search: ProgramSearch,
  passedBy: string[],
): Program | undefined {
  for (const place of homeFolders(folder, search.environment)) {
    const file = programFiles(name)
      .map((each) => path.join(place, each))
      .find((each) => existsSync(each));
    const program = file === undefined ? undefined : examine(file, place, search, passedBy);
    if (program) return program;
  }
  return undefined;
}

function findInPath(
  name: string,
  search: Pick<ProgramSearch, 'roots' | 'environment'>,
  passedBy: string[],
  proxy?: string,
): Program | undefined {
  for (const { folder, fault } of pathFolders(search.environment.PATH, search.roots)) {
    for (const file of programFiles(name).map((each) => path.join(folder, each))) {
      if (!existsSync(file)) continue;
      const program = fault === undefined ? examine(file, 'PATH', search, passedBy, proxy) : undefined;
      if (program) return program;
      if (fault !== undefined) passedBy.push(`lspan runs nothing from ${folder}: ${fault}.`);
    }
  }
  return undefined;
}

function findCommand(
  [name = '', ...args]: readonly string[],
  search: ProgramSearch,
  passedBy: string[],
): Program | undefined {
  if (!path.isAbsolute(name) && (name === '' || name !== path.basename(name))) throw noCommand(name, search);
  const program = path.isAbsolute(name)
    ? examine(name, 'configured command', search, passedBy)
    : findInPath(name, search, passedBy);
  return program && { ...program, args, origin: 'configured command' };
}

function noCommand(name: string, search: ProgramSearch): LspanError {
  return new LspanError(
    'invalid_input',
    `The command of ${search.server} begins with "${name}", which is not a program.`,
    {
      nextStep: 'Use the name of a program in PATH, or an absolute path outside the workspace.',
    },
  );
}

function examine(
  file: string,
  origin: string,
  search: Pick<ProgramSearch, 'roots'>,
  passedBy: string[],
  proxy?: string,
): Program | undefined {
  const found = realFile(file);
  const folder = realFile(path.dirname(file));
  const fault = proxyFault(file, proxy) ?? faultOf(found, search.roots);
  if (found && folder && fault === undefined) {
    return { file: path.join(folder.path, path.basename(file)), real: found.path, args: [], origin };
  }
  passedBy.push(`${file} ${fault ?? 'cannot be reached'}.`);
  return undefined;
}

/** Detects a proxy by file identity, since hard and symbolic links give one file two names. */
function proxyFault(file: string, proxy: string | undefined): string | undefined {
  if (proxy === undefined) return undefined;
  const [one, other] = [file, path.join(path.dirname(file), proxy + path.extname(file))].map(realFile);
  const same = one?.stats.ino === other?.stats.ino && one?.stats.dev === other?.stats.dev;
  return same ? `is only a proxy of ${proxy}` : undefined;
}

function faultOf(found: RealFile | undefined, roots: readonly string[]): string | undefined {
  if (!found) return 'does not exist';
  if (found.worldWritable) return 'is not run, because it is world-writable';
  const inside = workspaceFault(found.path, roots);
  return inside ? `is not run, because ${inside}` : executableFault(found.path);
}

/** Expands a path below the user's home, whose parts may be `*`; matches are in descending order of name. */
function homeFolders(
  pattern: string,
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const home = environment.HOME || homedir();
  return pattern.split('/').reduce<string[]>(
    (folders, part) => {
      if (part !== '*') return folders.map((folder) => path.join(folder, part));
      return folders.flatMap((folder) => namesIn(folder).map((name) => path.join(folder, name)));
    },
    [home],
  );
}

function namesIn(folder: string): string[] {
  return realFile(folder)?.stats.isDirectory() ? readdirSync(folder).sort().reverse() : [];
}
