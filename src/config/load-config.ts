import path from 'node:path';
import type { Log } from '../core/log.ts';
import type { Config, ConfiguredServer } from './config.ts';
import { defaultConfig } from './default-config.ts';
import { extensionName } from './extension-name.ts';
import { readRepositoryFiles } from './read-repository-files.ts';
import { readUserFile } from './read-user-file.ts';
import type { RepositoryFile, UserFile } from './schema.ts';
import { type Environment, findUserFile } from './user-file.ts';

/** What the configuration is read from. */
export interface ConfigSources {
  /** The user's file, instead of the one in the usual place. */
  readonly configFile?: string | undefined;
  /** The folders whose repositories may narrow it. */
  readonly roots: readonly string[];
  readonly environment: Environment;
  readonly log: Log;
}

/** The configuration in effect. Throws `invalid_input` for a fault of the user's file, never for a repository's. */
export function loadConfig(sources: ConfigSources): Config {
  const { configFile, roots, environment, log } = sources;
  const userFile = configFile === undefined ? findUserFile(environment) : path.resolve(configFile);
  const own = userFile === undefined ? defaultConfig : fromUser(userFile, readUserFile(userFile));
  const readings = roots.map(readRepositoryFiles);
  const warnings = readings.flatMap((reading) => reading.warnings);
  for (const warning of warnings) log('warn', 'config_ignored', { warning });
  return { ...readings.flatMap(({ keys }) => keys).reduce(narrow, own), warnings };
}

function fromUser(file: string, user: UserFile): Config {
  const ours = defaultConfig;
  return {
    userFile: file,
    servers: (user.servers ?? []).map(toServer),
    disabledServers: user.disabled_servers ?? ours.disabledServers,
    output: user.output ?? ours.output,
    toolsets: user.toolsets ?? ours.toolsets,
    readOnly: user.read_only ?? ours.readOnly,
    logLevel: user.log_level ?? ours.logLevel,
    logFormat: user.log_format ?? ours.logFormat,
    deadline: user.deadline_s === undefined ? ours.deadline : user.deadline_s * 1000,
    maxTokens: user.max_tokens ?? ours.maxTokens,
    limits: ours.limits,
    exclude: user.exclude ?? ours.exclude,
    warnings: [],
  };
}

function toServer(server: NonNullable<UserFile['servers']>[number]): ConfiguredServer {
  const { language_id, initialization_options, initialize_timeout_s, extensions, ...same } = server;
  return {
    ...same,
    extensions: extensions?.map((extension) => extensionName(extension) ?? extension),
    languageId: language_id,
    initializationOptions: initialization_options,
    initializeTimeout: initialize_timeout_s === undefined ? undefined : initialize_timeout_s * 1000,
  };
}

/** Every inert key can only narrow, so the order of a repository's files does not matter. */
function narrow(config: Config, keys: RepositoryFile): Config {
  return {
    ...config,
    exclude: [...config.exclude, ...(keys.exclude ?? [])],
    disabledServers: [...new Set([...config.disabledServers, ...(keys.disabled_servers ?? [])])],
    maxTokens: Math.min(config.maxTokens, keys.max_tokens ?? config.maxTokens),
    deadline: Math.min(config.deadline, (keys.deadline_s ?? Number.POSITIVE_INFINITY) * 1000),
  };
}
