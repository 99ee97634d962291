import path from 'node:path';
import { isRecord } from '../core/runtime/json.ts';
import { nearestName } from '../core/wording/nearest-name.ts';
import type { Config } from './config.ts';
import { type ConfigSources, repositoryFilesOf } from './config-files.ts';
import { defaultConfig } from './default-config.ts';
import { definedFields } from './defined-fields.ts';
import { parseFile } from './parse-file.ts';
import { readOwnFile } from './read-own-file.ts';
import { checkUserConfig, readUserFile, type UserConfig } from './read-user-file.ts';
import { withLimits } from './schema/limits-schema.ts';
import { type RepositoryFile, repositorySchema, tableAt } from './schema/schema.ts';
import { wish } from './schema/schema-errors.ts';
import type { ServeKeys } from './schema/serve-schema.ts';
import { readServer } from './servers/read-server.ts';
import { findUserFile } from './user-file.ts';

/** Returns the configuration in effect. Throws `invalid_input` for a faulty user's file, never for a repository's. */
export function loadConfig(sources: ConfigSources): Config {
  const { roots, log } = sources;
  const user = userConfig(sources);
  const readings = roots.flatMap(readRepositoryFiles);
  const warnings = [...user.warnings, ...readings.flatMap((reading) => reading.warnings)];
  for (const warning of warnings) log('warn', 'config_ignored', { warning });
  return { ...readings.reduce(narrowed, user), warnings };
}

function userConfig({ configFile, configValue, environment }: ConfigSources): Config {
  if (configValue) return fromUser(configValue.name, checkUserConfig(configValue, 'json'));
  const userFile = configFile === undefined ? findUserFile(environment) : path.resolve(configFile);
  if (userFile === undefined) return defaultConfig;
  return { ...fromUser(`user file ${userFile}`, readUserFile(userFile)), userFile };
}

function fromUser(name: string, { keys: user, notes }: UserConfig): Config {
  return {
    ...defaultConfig,
    warnings: notes.map((note) => `${name}: ${note}`),
    sources: [{ kind: 'user', name, keys: user }],
    servers: (user.servers ?? []).map(readServer),
    files: Object.entries(user.files ?? {}).map(([glob, servers]) => ({ glob, servers })),
    limits: withLimits(defaultConfig.limits, user.limits ?? {}),
    serve: { ...defaultConfig.serve, ...definedFields(readServe(user.serve ?? {})) },
    index: { ...defaultConfig.index, ...definedFields(user.index ?? {}) },
    deadlines: Object.fromEntries(
      Object.entries(user.deadlines_s ?? {}).map(([tool, seconds]) => [tool, seconds * 1000]),
    ),
    ...definedFields({
      disabledServers: user.disabled_servers,
      output: user.output,
      toolsets: user.toolsets,
      readOnly: user.read_only,
      daemon: user.daemon,
      confine: user.confine,
      logLevel: user.log_level,
      logFormat: user.log_format,
      deadline: user.deadline_s === undefined ? undefined : user.deadline_s * 1000,
      maxTokens: user.max_tokens,
      exclude: user.exclude,
    }),
  };
}

function readServe(keys: ServeKeys) {
  const { allow_origins: allowOrigins, additional_roots: additionalRoots, ...same } = keys;
  return { ...same, allowOrigins, additionalRoots };
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

/** The valid keys of one repository file, and warnings about the ignored ones. */
export interface RepositoryReading {
  readonly file: string;
  readonly keys: RepositoryFile;
  readonly warnings: readonly string[];
}

/** Reads a repository's configuration files. Only inert keys are taken, and no fault is ever fatal. */
export function readRepositoryFiles(root: string): readonly RepositoryReading[] {
  return repositoryFilesOf(root).map(({ file, real }) => readOne(file, real));
}

function readOne(file: string, real: string): RepositoryReading {
  if (real !== file) return ignored(file, 'it is behind a link, and links are not followed here.');
  const reading = readOwnFile(file, { followLinks: false });
  if ('wrong' in reading) return ignored(file, reading.wrong);
  const parsed = parseFile(file, reading.text);
  if ('wrong' in parsed) return ignored(file, parsed.wrong);
  if (!isRecord(parsed.value)) return ignored(file, 'it is not a table of keys.');
  return takeInertKeys(file, parsed.value);
}

/** Takes each allowed, valid key. Warnings quote only known keys, never the file's own text: an agent may read them. */
function takeInertKeys(file: string, table: Readonly<Record<string, unknown>>): RepositoryReading {
  let keys: RepositoryFile = {};
  const warnings: string[] = [];
  let unknown: readonly string[] = [];
  for (const [key, value] of Object.entries(table)) {
    if (Object.hasOwn(repositorySchema.shape, key)) {
      const checked = repositorySchema.safeParse({ [key]: value });
      if (checked.success) keys = { ...keys, ...checked.data };
      else warnings.push(`${file}: ${key} is ignored: ${checked.error.issues.slice(0, 1).map(faultIn)}.`);
    } else if (isKnownKey(key)) {
      warnings.push(`${file}: ${key} is ignored: only your own configuration may set it, not a repository.`);
    } else unknown = [...unknown, key];
  }
  return { file, keys, warnings: [...warnings, ...unknownKeys(file, unknown)] };
}

function faultIn(issue: Parameters<typeof wish>[0]): string {
  const isInner = issue.path.length > 1;
  return `${isInner ? 'an entry' : 'it'} ${wish(issue)}`;
}

function isKnownKey(key: string): boolean {
  const tables = [
    tableAt([]),
    tableAt(['servers', 0]),
    tableAt(['limits']),
    tableAt(['index']),
    tableAt(['serve']),
  ];
  return foreignKeys.has(key) || tables.some((table) => table !== undefined && Object.hasOwn(table, key));
}

/** Keys that other tools use for what would run a program, and requests for trust. */
const foreignKeys: ReadonlySet<string> = new Set([
  ...['args', 'cwd', 'path', 'interpreter', 'plugins', 'plugin_dirs', 'pluginDirs'],
  ...['overrideCommand', 'override_command', 'extraEnv', 'extra_env', 'trust', 'trusted'],
]);

function unknownKeys(file: string, keys: readonly string[]): string[] {
  if (keys.length === 0) return [];
  const meant = new Set(keys.map((key) => nearestName(key, Object.keys(repositorySchema.shape))));
  meant.delete(undefined);
  const hint = meant.size === 0 ? '' : ` Did you mean ${[...meant].join(', ')}?`;
  return [`${file}: unknown keys are ignored: ${keys.length}.${hint}`];
}

function ignored(file: string, why: string): RepositoryReading {
  return { file, keys: {}, warnings: [`${file} is ignored: ${why}`] };
}
