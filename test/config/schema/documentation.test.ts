import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { configSchema } from '../../../src/config/schema/config-schema.ts';
import { exampleValue } from '../../../src/config/schema/key-example.ts';
import { repositorySchema, tableAt, userSchema } from '../../../src/config/schema/schema.ts';
import type { ServerDefinition } from '../../../src/servers/definition.ts';
import { renderConfigurationPage } from './configuration-page.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const update = process.env.UPDATE_GOLDEN === '1';
const places = [[], ['servers', 0], ['limits']];

describe('docs/configuration.md', () => {
  it('has every key with its default, meaning and example', () => {
    const made = renderConfigurationPage(read('docs/configuration.md'));
    if (update) writeFileSync(path.join(root, 'docs/configuration.md'), made);
    expect(read('docs/configuration.md')).toBe(made);
    for (const key of places.flatMap((place) => Object.keys(tableAt(place) ?? {})))
      expect(made).toContain(`\n| \`${key}\` | `);
  });

  it('shows files that would be accepted', () => {
    const [mine, repository, ...others] = blocks('toml').map((text) => parse(text));
    const [same] = blocks('json');
    expect(userSchema.parse(JSON.parse(same ?? ''))).toEqual(userSchema.parse(mine));
    expect(repositorySchema.parse(repository)).toEqual(repository);
    for (const other of others) expect(userSchema.safeParse(other).success).toBe(true);
  });
});

/** The key by which each field of a definition is set, or why there is none. */
const fields: Readonly<Record<keyof ServerDefinition, string>> = {
  id: 'id',
  extensions: 'extensions',
  program: 'command',
  args: 'args',
  rootArgs: 'args',
  startsIn: '! a folder of lspan, chosen for safety',
  env: 'env',
  rootEnv: 'env',
  answers: 'answers',
  group: 'group',
  rank: 'rank',
  onlyBelow: 'only_below',
  onlyBeside: 'only_beside',
  sees: 'sees',
  needsTrust: '! trust is given folder by folder',
  withoutTrust: '! trust is given folder by folder',
  trustBinds: '! trust is given folder by folder',
  doubts: '! what is true of a server is not for the user to say',
  startsEarly: 'start',
  initializationOptions: 'initialization_options',
  settings: 'settings',
  clientCapabilities: 'client_capabilities',
  symbolQuery: '! a function',
  relays: '! a protocol between two servers that know each other',
  startAttempts: 'start_attempts',
  ready: 'ready',
  childDied: 'child_died',
  initializeTimeout: 'initialize_timeout_s',
  memory: 'memory_mb',
  timeouts: 'timeouts',
  verdict: '! a function',
  clears: '! a function',
  checksFilesAlone: 'checks_files_alone',
  diagnosticsQuiet: 'diagnostics_quiet_ms',
  checkedBy: '! functions',
  projectMarkers: 'root_markers',
  projects: '! a function',
  projectOf: '! a function',
  instead: '! functions',
  insteadOf: '! functions',
  countsMark: '! what is true of a server is not for the user to say',
  columnsOverBreaks: '! what is true of a server is not for the user to say',
  commandsBeyondEdits: '! chosen for safety',
  renames: '! a habit of a language, not of a set-up',
  opensChanged: '! a habit of one server that nobody needs to set',
  overlooks: '! a habit of a language, not of a set-up',
  renamesByAlias: '! what is true of a server is not for the user to say',
  neverSearches: '! a function',
  staysInProject: '! what is true of a server is not for the user to say',
  implementsDirectly: '! what is true of a server is not for the user to say',
  givesAway: '! a habit of a language, not of a set-up',
  foldersOf: 'workspace_folders',
  symbolCap: 'symbol_cap',
  searchCap: '! what is true of a server is not for the user to say',
  restartsOn: 'restarts_on',
  loadsOnOpen: 'loads_on_open',
  answersUnopened: 'answers_unopened',
  readsOnlyOpen: 'reads_only_open',
  includes: '! a habit of a language, not of a set-up',
  findsNothing: '! what is true of a server is not for the user to say',
  publishesWhenRead: 'publishes_when_read',
  opensCreated: 'opens_created',
  importsFromDisk: '! what is true of a server is not for the user to say',
  seenByImport: '! a habit of a language, not of a set-up',
  setUpBy: '! what is true of a server is not for the user to say',
  refersOnDisk: '! what is true of a server is not for the user to say',
  readsBeside: '! what is true of a server is not for the user to say',
  watchAlso: 'watch',
  libraryRoots: 'library_folders',
  cleanExitCodes: '! nothing depends on it',
  writes: 'writes',
  untested: '! what is true of a server is not for the user to say',
  install: 'install',
};

it('every field of a definition can be set by a key, or there is a reason why not', () => {
  const keys = new Set(Object.values(fields).filter((key) => !key.startsWith('!')));
  const others = ['enabled', 'language_id'];
  expect([...keys, ...others].sort()).toEqual(Object.keys(tableAt(['servers', 0]) ?? {}).sort());
});

describe('the JSON Schema for editors', () => {
  it('is shipped as it is printed', () => {
    const made = `${JSON.stringify(configSchema(), undefined, 2)}\n`;
    if (update) writeFileSync(path.join(root, 'docs/config.schema.json'), made);
    expect(read('docs/config.schema.json')).toBe(made);
  });

  it('has every key, and no other', () => {
    const { properties } = JSON.parse(read('docs/config.schema.json'));
    expect(Object.keys(properties)).toEqual(['$schema', ...Object.keys(userSchema.shape)]);
    const { servers, limits } = properties;
    expect(Object.keys(servers.items.properties)).toEqual(Object.keys(tableAt(['servers', 0]) ?? {}));
    expect(Object.keys(limits.properties)).toEqual(Object.keys(tableAt(['limits']) ?? {}));
    for (const table of [servers.items, limits]) expect(table.additionalProperties).toBe(false);
  });

  it('tells the defaults', () => {
    const { properties } = JSON.parse(read('docs/config.schema.json'));
    expect(properties).toMatchObject({
      deadline_s: { default: 30 },
      output: { default: 'auto' },
      exclude: { default: [] },
      limits: { properties: { servers_running: { default: 8 }, memory_mb: { default: 4096 } } },
    });
  });
});

it.each(places.flatMap((place) => Object.entries(tableAt(place) ?? {})))(
  'the example of %s is accepted',
  (key, schema) => {
    const [example] = Array.isArray(schema.meta()?.examples) ? [schema.meta()?.examples].flat() : [];
    const value = key === 'servers' ? [] : exampleValue(String(example));
    expect(schema.safeParse(value).error).toBeUndefined();
  },
);

function blocks(language: string): string[] {
  const found = read('docs/configuration.md').matchAll(
    new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'),
  );
  return [...found].map(([, text]) => text ?? '');
}
