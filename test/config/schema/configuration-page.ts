import { defaultConfig } from '../../../src/config/default-config.ts';
import { effectiveValues } from '../../../src/config/effective-value.ts';
import { tableAt } from '../../../src/config/schema/schema.ts';
import type { serverSchema } from '../../../src/config/schema/server-schema.ts';
import { limits } from '../../../src/core/limits.ts';

/** Regenerates the page's tables of keys from the schema; each is between `<!-- keys of X -->` and `<!-- end -->`. */
export function renderConfigurationPage(page: string): string {
  return page.replace(
    /(<!-- keys of (\w+) -->\n).*?(<!-- end -->)/gs,
    (_, begin: string, name: string, end: string) => `${begin}${tables[name]?.() ?? ''}${end}`,
  );
}

const tables: Readonly<Record<string, () => string>> = {
  file: () => render([], (key) => fileDefaults[key] ?? value(key)),
  limits: () => render(['limits'], (key) => value(`limits.${key}`)),
  serve: () => render(['serve'], (key) => value(`serve.${key}`)),
  servers: () => render(['servers', 0], (key) => new Map(Object.entries(serverDefaults)).get(key) ?? ''),
};

function render(place: readonly PropertyKey[], defaultOf: (key: string) => string): string {
  const rows = Object.entries(tableAt(place) ?? {}).map(([key, schema]) => {
    const { description, examples } = schema.meta() ?? {};
    const [example] = Array.isArray(examples) ? examples : [];
    return `| \`${key}\` | ${defaultOf(key)} | ${description} | \`${example}\` |\n`;
  });
  return ['| Key | Default | Meaning | Example |\n', '|---|---|---|---|\n', ...rows].join('');
}

function value(key: string): string {
  const found = effectiveValues(defaultConfig).find((one) => one.key === key);
  return `\`${JSON.stringify(found?.value)}\``;
}

const fileDefaults: Readonly<Record<string, string>> = {
  servers: '`[]`',
  files: '`{}`',
  deadlines_s: '`{}`',
  limits: 'as below',
  serve: 'as below',
};

const own = "lspan's own";

/** Default of a server's key; a server that lspan does not know has none of its own. */
const serverDefaults: Readonly<Record<keyof typeof serverSchema.shape, string>> = {
  id: 'required',
  enabled: '`true`',
  command: own,
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
  memory_mb: '`limits.memory_mb`',
  confine: '`confine` for all',
  writable_folders: '`[]`',
  child_died: own,
  writes: own,
  install: own,
};
