import { list, object } from '../core/runtime/json.ts';
import type { Config, ConfigSource } from './config.ts';
import type { IndexKeys } from './schema/index-schema.ts';
import { limitKeys } from './schema/limits-schema.ts';
import type { UserFile } from './schema/schema.ts';
import type { ServeKeys } from './schema/serve-schema.ts';

/** One key with the value in effect and the sources that set it. */
export interface EffectiveValue {
  readonly key: string;
  readonly value: unknown;
  /** Several for concatenated lists; `default` if no source sets the key. */
  readonly origins: readonly string[];
}

/** Returns every value in effect, in the units of the user's file; for servers see `changesOf`. */
export function effectiveValues(config: Config): readonly EffectiveValue[] {
  return rowsOf(config).map(({ key, value, given, adds }) => {
    const setters = config.sources.filter(({ keys }) =>
      adds ? list(keys[key]).length > 0 : given(keys).some((one) => isSame(one, value)),
    );
    return { key, value, origins: adds ? names(setters, 'default') : names(strongest(setters), 'default') };
  });
}

/** Returns the names of the sources that disable a server. */
export function disablersOf(id: string, { sources }: Config): readonly string[] {
  const isOff = (keys: Keys) =>
    list(keys.disabled_servers).includes(id) ||
    list(keys.servers).some((server) => object(server).id === id && object(server).enabled === false);
  return sources.filter(({ keys }) => isOff(keys)).map(({ name }) => name);
}

/** Returns the keys of a server that are set, by source. */
export function changesOf(
  id: string,
  { sources }: Config,
): readonly { readonly keys: readonly string[]; readonly origin: string }[] {
  return sources.flatMap(({ keys, name }) => {
    const own = list(keys.servers).find((server) => object(server).id === id);
    const set = Object.keys(object(own)).filter((key) => key !== 'id');
    return set.length === 0 ? [] : [{ keys: set, origin: name }];
  });
}

type Keys = ConfigSource['keys'];

interface Row {
  readonly key: string;
  readonly value: unknown;
  /** The values that a source gives for the key; one that differs from `value` was overridden. */
  readonly given: (keys: Keys) => readonly unknown[];
  readonly adds?: boolean;
}

const plainKeys: Readonly<
  Record<
    Exclude<keyof UserFile, 'servers' | 'files' | 'limits' | 'index' | 'serve' | 'deadlines_s'>,
    (config: Config) => unknown
  >
> = {
  exclude: ({ exclude }) => exclude,
  max_tokens: ({ maxTokens }) => maxTokens,
  deadline_s: ({ deadline }) => deadline / 1000,
  disabled_servers: ({ disabledServers }) => disabledServers,
  output: ({ output }) => output,
  toolsets: ({ toolsets }) => toolsets,
  read_only: ({ readOnly }) => readOnly,
  daemon: ({ daemon }) => daemon,
  confine: ({ confine }) => confine,
  log_level: ({ logLevel }) => logLevel,
  log_format: ({ logFormat }) => logFormat,
};

const serveKeys: Readonly<Record<keyof ServeKeys, (serve: Config['serve']) => unknown>> = {
  port: ({ port }) => port,
  host: ({ host }) => host,
  endpoint: ({ endpoint }) => endpoint,
  allow_origins: ({ allowOrigins }) => allowOrigins,
  sessions: ({ sessions }) => sessions,
  protocol: ({ protocol }) => protocol ?? 'all',
  surface: ({ surface }) => surface,
  additional_roots: ({ additionalRoots }) => additionalRoots,
};

const indexKeys: Readonly<Record<keyof IndexKeys, (index: Config['index']) => unknown>> = {
  store: ({ store }) => withoutPassword(store),
  tenant: ({ tenant }) => tenant,
};

/** Returns an address without the password that it may hold. */
export function withoutPassword(store: string): string {
  return store.replace(/^([a-z]+:\/\/[^:@/]*):[^@/]*@/, '$1:***@').replace(/([?&]password=)[^&]*/, '$1***');
}

const added: ReadonlySet<string> = new Set(['exclude', 'disabled_servers']);

function rowsOf(config: Config): readonly Row[] {
  const plain = Object.entries(plainKeys).map(([key, read]): Row => {
    return { key, value: read(config), given: (keys) => [keys[key]], adds: added.has(key) };
  });
  const deadlines = Object.entries(config.deadlines).map(([tool, time]): Row => {
    const given = (keys: Keys) => [object(keys.deadlines_s)[tool], keys.deadline_s];
    return { key: `deadlines_s.${tool}`, value: time / 1000, given };
  });
  const bounds = limitKeys.map(({ key, limit, unit }): Row => {
    const value = Math.round((config.limits[limit] / unit) * 1000) / 1000;
    return { key: `limits.${key}`, value, given: (keys) => [object(keys.limits)[key]] };
  });
  const serving = Object.entries(serveKeys).map(([key, read]): Row => {
    return { key: `serve.${key}`, value: read(config.serve), given: (keys) => [object(keys.serve)[key]] };
  });
  const indexing = Object.entries(indexKeys).map(([key, read]): Row => {
    const given = (keys: Keys) =>
      object(keys.index)[key] === undefined ? [] : [read({ ...config.index, ...object(keys.index) })];
    return { key: `index.${key}`, value: read(config.index), given };
  });
  const files = config.files.map(({ glob, servers }): Row => {
    return {
      key: `files.${JSON.stringify(glob)}`,
      value: servers,
      given: (keys) => [object(keys.files)[glob]],
    };
  });
  return [...plain, ...deadlines, ...bounds, ...indexing, ...serving, ...files];
}

function strongest(sources: readonly ConfigSource[]): readonly ConfigSource[] {
  const order = ['flag', 'user', 'repository'];
  return [...sources].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind)).slice(0, 1);
}

function names(sources: readonly ConfigSource[], none: string): readonly string[] {
  return sources.length === 0 ? [none] : sources.map(({ name }) => name);
}

function isSame(one: unknown, other: unknown): boolean {
  return one !== undefined && JSON.stringify(one) === JSON.stringify(other);
}
