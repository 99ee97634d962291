import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { LspanError } from '../core/errors.ts';
import { readOwnFile } from './read-own-file.ts';

/** The environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the user's configuration file at the default path, if any. Imports little, since every start calls it. */
export function findUserFile(
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const folder = configFolder(environment, platform);
  const present = ['config.toml', 'config.json'].map((name) => path.join(folder, name)).filter(existsSync);
  if (present.length > 1) throw twoFiles(folder);
  return present[0];
}

/**
 * Returns whether a file of the user may set one of some keys: false only if its text has none of them, however it is
 * written. A file that cannot be read may.
 */
export function maySet(file: string, keys: readonly string[]): boolean {
  const read = readOwnFile(file, { followLinks: true });
  // In quotes, a backslash may write any character of a key.
  return 'wrong' in read || read.text.includes('\\') || keys.some((key) => read.text.includes(key));
}

/** Returns the folder of the user's configuration: XDG where set, else the platform's convention. */
export function configFolder(environment: Environment, platform: NodeJS.Platform): string {
  const { XDG_CONFIG_HOME: xdg, APPDATA: appData, HOME: home } = environment;
  // The XDG specification: a path that is not absolute is invalid and must be ignored.
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, 'lspan');
  if (platform === 'win32' && appData) return path.join(appData, 'lspan');
  return path.join(home || homedir(), '.config', 'lspan');
}

function twoFiles(folder: string): LspanError {
  return new LspanError(
    'invalid_input',
    `Both config.toml and config.json exist in ${folder}; lspan reads only one. Remove one of them.`,
    { nextStep: 'Remove or rename one of the two files, then start lspan again.' },
  );
}
