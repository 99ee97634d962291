import { homedir } from 'node:os';
import path from 'node:path';
import { ownHome } from '../../../platform/files/own-home.ts';
import { isPathWithin } from '../../../platform/files/path-within.ts';
import { realFile } from '../../../platform/files/real-file.ts';
import type { Command } from '../../../platform/processes/process-tree.ts';
import type { SandboxRules } from '../../../platform/sandbox/sandbox.ts';
import type { ProjectFacts, ServerDefinition } from '../../../servers/definition.ts';
import type { Program } from './find-program.ts';
import { temporaryVariables, toolchainFolders } from './server-environment.ts';

/** A server that is about to start in a sandbox. */
interface ConfinedStart {
  readonly definition: ServerDefinition;
  readonly command: Command;
  readonly program: Program;
  readonly facts: ProjectFacts;
  /** Real paths of the workspace, and of the folders beside it that may be read. */
  readonly roots: readonly string[];
  /** Folders of the server's own cache; it may not change those that lspan has filled. */
  readonly caches: { readonly writable: Iterable<string>; readonly filled: Iterable<string> };
  /** Files and folders of lspan that no server sees. */
  readonly hides: readonly string[];
}

/** Returns what a server may see and change: what its definition names, and what its command and variables lead to. */
export function sandboxRules(start: ConfinedStart): SandboxRules {
  const { definition, command, program, facts, roots, caches, hides } = start;
  const home = facts.environment.HOME || homedir();
  const reads = [
    ...[path.dirname(program.file), path.dirname(program.real), ...pathOf(command)].map((each) =>
      installationOf(each, home),
    ),
    ...command.args.flatMap(placeOfArgument),
    ...toolchainFolders(command.env),
    ...(ownHome === undefined ? [] : [installationOf(ownHome, home)]),
    ...(definition.files?.libraryRoots?.(program.real, facts) ?? []),
    ...(definition.confinement?.reads?.(facts, program.real) ?? []),
  ];
  return {
    home,
    // A path of the repository may be a link to anywhere; what is in the workspace is visible as it is.
    reads: [
      ...roots,
      command.cwd,
      ...caches.filled,
      ...reads.filter((each) => !roots.some((root) => isPathWithin(root, each))),
    ],
    writes: [...caches.writable, ...(definition.confinement?.writes?.(facts) ?? [])].filter(isFolder),
    hides,
    scratch: facts.temporary(),
  };
}

/** Variables that lead every confined server to what it may write to. */
export function sandboxEnvironment({ cache, temporary }: ProjectFacts): Readonly<Record<string, string>> {
  const scratch = temporary();
  return {
    ...temporaryVariables(scratch),
    XDG_RUNTIME_DIR: scratch,
    XDG_CACHE_HOME: cache('home'),
  };
}

function pathOf({ env }: Command): readonly string[] {
  return (env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
}

/** Returns the folder of what is installed together: the packages of npm, or the parent of `bin`. */
function installationOf(folder: string, home: string): string {
  const packages = /^(.*?\/node_modules)(?:\/|$)/.exec(folder)?.[1];
  if (packages !== undefined) return packages;
  const above = path.dirname(folder);
  // These two hold much besides programs.
  const isShared = above === home || above === path.join(home, '.local');
  return path.basename(folder) === 'bin' && !isShared ? above : folder;
}

/** Returns where an argument leads: a script is seen with the folder that it is in, unless others use that too. */
function placeOfArgument(argument: string): readonly string[] {
  const found = path.isAbsolute(argument) ? realFile(argument) : undefined;
  if (found === undefined) return [];
  const folder = path.dirname(found.path);
  const isOwn = !found.stats.isDirectory() && realFile(folder)?.worldWritable === false;
  return [isOwn ? folder : found.path];
}

function isFolder(file: string): boolean {
  return realFile(file)?.stats.isDirectory() === true;
}
