import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { list, object, text } from '../../core/runtime/json.ts';
import { manifestIn } from '../../platform/files/own-home.ts';
import { isPathWithin } from '../../platform/files/path-within.ts';
import type { AgentClient, Scope } from './clients/client.ts';

/** How a client starts lspan. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  /** Why this form, for the user. */
  readonly why: string;
}

/** How this lspan was started. */
export interface OwnProcess {
  /** The real path of its script. */
  readonly script: string;
  readonly node: string;
  readonly platform: NodeJS.Platform;
  /** The folders of PATH. */
  readonly folders: readonly string[];
}

/** Returns facts about this process. */
export function ownProcess(environment: Readonly<Record<string, string | undefined>>): OwnProcess {
  const [, script = ''] = process.argv;
  return {
    script: existsSync(script) ? realpathSync(script) : script,
    node: process.execPath,
    platform: process.platform,
    folders: (environment.PATH ?? environment.Path ?? '').split(path.delimiter).filter(path.isAbsolute),
  };
}

/**
 * Chooses how a client starts this lspan. A file of a project is for other machines too, so it names no path of this one
 * where that can be helped; a program that is started without a shell may lack the PATH of the shell.
 */
export function launchFor(
  { started }: Pick<AgentClient, 'started'>,
  scope: Scope,
  own: OwnProcess,
  project: string | undefined,
): Launch {
  const spec = npxPackage(own.script);
  if (spec !== undefined) return npxLaunch(spec);
  if (
    scope === 'project' &&
    project !== undefined &&
    isPathWithin(path.join(project, 'node_modules'), own.script)
  )
    return { command: 'npx', args: ['lspan', 'mcp'], why: 'lspan is a dependency of this project' };
  const isFound = isOnPath(own);
  const isShort = isFound && (scope === 'project' || (started === 'shell' && own.platform !== 'win32'));
  if (isShort) return { command: 'lspan', args: ['mcp'], why: 'lspan is on your PATH' };
  return {
    command: nodeOf(own),
    args: [own.script, 'mcp'],
    why: isFound
      ? 'by absolute paths, since this program may be started without the PATH of your shell'
      : `by absolute paths, since no lspan on your PATH is this one${scope === 'project' ? '; they are of this machine only' : ''}`,
  };
}

/** The cache of npx may be emptied at any time, so nothing may refer to it. */
function npxLaunch(spec: string): Launch {
  return {
    command: 'npx',
    args: ['-y', spec, 'mcp'],
    why: 'by npx, which started this lspan; the program needs npx on its PATH',
  };
}

/** Returns the package that npx was asked for; `undefined` if npx did not start this lspan. */
function npxPackage(script: string): string | undefined {
  const [, cache] = /^(.*[\\/]_npx[\\/][^\\/]+)[\\/]node_modules[\\/]/.exec(script) ?? [];
  if (cache === undefined) return undefined;
  const { dependencies, _npx } = object(manifestIn(cache));
  // npx notes the words as they were typed, and a path may be relative to any folder. It runs a mere absolute path as a program.
  const [, file] = /^file:(.*)$/.exec(text(object(dependencies).lspan) ?? '') ?? [];
  if (file !== undefined) return `file:${path.resolve(cache, file)}`;
  const asked = list(object(_npx).packages).flatMap((one) => text(one) ?? []);
  return asked.find((one) => /^lspan(?:@|$)/.test(one)) ?? 'lspan';
}

/** True if the command `lspan` is this one. Folders that npm adds to the PATH of its scripts do not count. */
function isOnPath({ script, folders, platform }: OwnProcess): boolean {
  const own = folders.filter((folder) => !/[\\/]node_modules[\\/]\.bin$/.test(folder));
  if (platform === 'win32') return own.some((folder) => existsSync(path.join(folder, 'lspan.cmd')));
  const [first] = own.map((folder) => path.join(folder, 'lspan')).filter((file) => existsSync(file));
  return first !== undefined && realpathSync(first) === script;
}

/** A link on the PATH to this Node outlives its version. */
function nodeOf({ node, folders, platform }: OwnProcess): string {
  const names = folders.map((folder) => path.join(folder, platform === 'win32' ? 'node.exe' : 'node'));
  return names.find((file) => existsSync(file) && realpathSync(file) === realpathSync(node)) ?? node;
}
