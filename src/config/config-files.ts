import path from 'node:path';
import type { Log } from '../core/log.ts';
import { realFile } from '../platform/files/real-file.ts';
import type { GivenConfig } from './read-user-file.ts';
import { type Environment, findUserFile } from './user-file.ts';

/** Where a configuration may come from. */
export interface ConfigSources {
  /** The user's file, instead of the one at the default path. */
  readonly configFile?: string | undefined;
  /** Content of such a file, given by an embedding program; no user's file is read then. */
  readonly configValue?: GivenConfig | undefined;
  /** Folders whose repository files may narrow the configuration. */
  readonly roots: readonly string[];
  readonly environment: Environment;
  readonly log: Log;
}

/** The files of a repository, below its root. */
export const repositoryFileNames: readonly string[] = ['lspan.toml', '.lspan/config.toml', 'lspan.json'];

/** A file of a repository, and where it is with links resolved. */
interface RepositoryPath {
  readonly file: string;
  readonly real: string;
}

/** Returns the configuration files of a repository that exist. */
export function repositoryFilesOf(root: string): readonly RepositoryPath[] {
  const top = realFile(root)?.path;
  if (top === undefined) return [];
  return repositoryFileNames.flatMap((name) => {
    const file = path.join(top, name);
    const real = realFile(file)?.path;
    return real === undefined ? [] : [{ file, real }];
  });
}

/** Returns whether there is any configuration to read. Imports little, since most users have none. */
export function isConfigured({
  configFile,
  configValue,
  roots,
  environment,
}: Omit<ConfigSources, 'log'>): boolean {
  const isGiven = configFile !== undefined || configValue !== undefined;
  return (
    isGiven ||
    findUserFile(environment) !== undefined ||
    roots.some((root) => repositoryFilesOf(root).length > 0)
  );
}
