import type { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { defaultConfig } from '../default-config.ts';
import { effectiveValues } from '../effective-value.ts';
import { exampleOf } from './key-example.ts';
import { tableAt } from './schema.ts';
import type { serverSchema } from './server-schema.ts';

/** The tables of a user's file: how a key of each is named, and where it stands. */
const tables = [
  { table: undefined, place: [] },
  { table: 'limits', place: ['limits'] },
  { table: 'index', place: ['index'] },
  { table: 'serve', place: ['serve'] },
  { table: 'servers', place: ['servers', 0] },
] as const;

/** A table of a user's file; `undefined` for keys outside of tables. */
export type KeyTableName = (typeof tables)[number]['table'];

/** What is known of one key of a user's file, for its documentation. */
export interface KeyFacts {
  /** With its table: `limits.memory_mb`. */
  readonly key: string;
  readonly table: KeyTableName;
  readonly name: string;
  readonly schema: z.ZodType;
  /** One or two sentences. */
  readonly meaning: string;
  /** In TOML. */
  readonly example: string;
  /** In Markdown. */
  readonly defaultText: string;
  /** Absent if it depends on the server. */
  readonly defaultValue?: unknown;
}

/** Lists every key of a user's file, in the order of its schema, each table after those outside. */
export function keyFacts(): readonly KeyFacts[] {
  const values = effectiveValues(defaultConfig);
  return tables.flatMap(({ table, place }) =>
    Object.entries(tableAt(place) ?? {}).map(([name, schema]) => {
      const key = table === undefined ? name : `${table}.${name}`;
      const defaultValue = table === undefined && name in ofTables ? ofTables[name] : defaultOf(values, key);
      return {
        ...{ key, table, name, schema },
        meaning: String(schema.meta()?.description ?? ''),
        example: exampleOf(schema, 'toml') ?? '',
        defaultText: textOf(table, name) ?? `\`${JSON.stringify(defaultValue)}\``,
        ...(defaultValue === undefined ? {} : { defaultValue }),
      };
    }),
  );
}

const ofTables: Readonly<Record<string, unknown>> = { servers: [], files: {}, deadlines_s: {} };

function defaultOf(values: ReturnType<typeof effectiveValues>, key: string): unknown {
  return values.find((one) => one.key === key)?.value;
}

function textOf(table: KeyTableName, name: string): string | undefined {
  if (table === undefined)
    return name === 'limits' || name === 'index' || name === 'serve' ? 'as below' : undefined;
  return table === 'servers' ? new Map(Object.entries(serverDefaults)).get(name) : undefined;
}

const own = "lspan's own";

/** Default of a server's key; a server that lspan does not know has none of its own. */
const serverDefaults: Readonly<Record<keyof typeof serverSchema.shape, string>> = {
  id: 'required',
  enabled: '`true`',
  command: own,
  via: 'none: it runs here',
  paths: 'the same paths there',
  shared: '`true`',
  args: own,
  extensions: own,
  language_id: 'by extension',
  env: own,
  cwd: `\`root_dir\`, else ${own}, else the root`,
  root_dir: 'the root',
  initialization_options: own,
  settings: own,
  client_capabilities: own,
  start: '`"on_demand"`',
  start_attempts: `${own}, else \`1\``,
  initialize_timeout_s: `${own}, else \`${limits.initialize.timeout / 1000}\``,
  timeouts: 'the deadline of the call',
  ready: `${own}, else \`"unknown"\``,
  root_markers: own,
  only_below: own,
  only_beside: own,
  sees: own,
  workspace_folders: `${own}, else the root`,
  answers: `${own}, else all that it can`,
  group: `${own}, else of its own`,
  rank: `${own}; \`100\` with \`command\` or \`extensions\``,
  watch: own,
  restarts_on: own,
  library_folders: '`[]`',
  loads_on_open: `${own}, else \`false\``,
  opens_created: `${own}, else \`false\``,
  answers_unopened: own,
  reads_only_open: `${own}, else \`false\``,
  publishes_when_read: `${own}, else \`false\``,
  checks_files_alone: `${own}, else \`false\``,
  diagnostics_quiet_ms: `${own}, else \`${limits.diagnostics.quiet}\``,
  edit_commands: `${own}, else \`[]\``,
  symbol_cap: own,
  static: '`false`',
  memory_mb: '`limits.memory_mb`',
  confine: '`confine` for all',
  writable_folders: '`[]`',
  child_died: own,
  writes: own,
  install: own,
};
