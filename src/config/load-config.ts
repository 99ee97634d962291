import path from 'node:path';
import type { Log } from '../core/log.ts';
import type { Config } from './config.ts';
import { defaultConfig } from './default-config.ts';
import { definedFields } from './defined-fields.ts';
import { type RepositoryReading, readRepositoryFiles } from './read-repository-files.ts';
import { checkUserConfig, type GivenConfig, readUserFile } from './read-user-file.ts';
import { withLimits } from './schema/limits-schema.ts';
import type { RepositoryFile, UserFile } from './schema/schema.ts';
import { readServer } from './servers/read-server.ts';
import { type Environment, findUserFile } from './user-file.ts';

/** Inputs of `loadConfig`. */
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

/** Returns the configuration in effect. Throws `invalid_input` for a faulty user's file, never for a repository's. */
export function loadConfig(sources: ConfigSources): Config {
  const { roots, log } = sources;
  const user = userConfig(sources);
  const readings = roots.flatMap(readRepositoryFiles);
  const warnings = readings.flatMap((reading) => reading.warnings);
  for (const warning of warnings) log('warn', 'config_ignored', { warning });
  return { ...readings.reduce(narrowed, user), warnings };
}

function userConfig({ configFile, configValue, environment }: ConfigSources): Config {
  if (configValue) return fromUser(configValue.name, checkUserConfig(configValue, 'json'));
  const userFile = configFile === undefined ? findUserFile(environment) : path.resolve(configFile);
  if (userFile === undefined) return defaultConfig;
  return { ...fromUser(`user file ${userFile}`, readUserFile(userFile)), userFile };
}

function fromUser(name: string, user: UserFile): Config {
  return {
    ...defaultConfig,
    sources: [{ kind: 'user', name, keys: user }],
    servers: (user.servers ?? []).map(readServer),
    files: Object.entries(user.files ?? {}).map(([glob, servers]) => ({ glob, servers })),
    limits: withLimits(defaultConfig.limits, user.limits ?? {}),
    deadlines: Object.fromEntries(
      Object.entries(user.deadlines_s ?? {}).map(([tool, seconds]) => [tool, seconds * 1000]),
    ),
    ...definedFields({
      disabledServers: user.disabled_servers,
      output: user.output,
      toolsets: user.toolsets,
      readOnly: user.read_only,
      logLevel: user.log_level,
      logFormat: user.log_format,
      deadline: user.deadline_s === undefined ? undefined : user.deadline_s * 1000,
      maxTokens: user.max_tokens,
      exclude: user.exclude,
    }),
  };
}

function narrowed(config: Config, { file, keys }: RepositoryReading): Config {
  if (Object.keys(keys).length === 0) return config;
  const source = { kind: 'repository', name: `repository file ${file}`, keys } as const;
  return { ...narrow(config, keys), sources: [...config.sources, source] };
}

/** Every inert key can only narrow, so the order of the repository files does not matter. */
function narrow(config: Config, keys: RepositoryFile): Config {
  const longest = (keys.deadline_s ?? Number.POSITIVE_INFINITY) * 1000;
  return {
    ...config,
    exclude: [...config.exclude, ...(keys.exclude ?? [])],
    disabledServers: [...new Set([...config.disabledServers, ...(keys.disabled_servers ?? [])])],
    maxTokens: Math.min(config.maxTokens, keys.max_tokens ?? config.maxTokens),
    deadline: Math.min(config.deadline, longest),
    deadlines: Object.fromEntries(
      Object.entries(config.deadlines).map(([tool, time]) => [tool, Math.min(time, longest)]),
    ),
  };
}
