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
  it('lists every key with default, meaning and example', () => {
    const made = renderConfigurationPage(read('docs/configuration.md'));
    if (update) writeFileSync(path.join(root, 'docs/configuration.md'), made);
    expect(read('docs/configuration.md')).toBe(made);
    for (const key of places.flatMap((place) => Object.keys(tableAt(place) ?? {})))
      expect(made).toContain(`\n| \`${key}\` | `);
  });

  it('shows only valid files', () => {
    const [mine, repository, ...others] = blocks('toml').map((text) => parse(text));
    const [same] = blocks('json');
    expect(userSchema.parse(JSON.parse(same ?? ''))).toEqual(userSchema.parse(mine));
    expect(repositorySchema.parse(repository)).toEqual(repository);
    for (const other of others) expect(userSchema.safeParse(other).success).toBe(true);
  });
});

/** The key by which each field of a definition is set, or why there is none. */
const fields: Keys<ServerDefinition> = {
  id: 'id',
  extensions: 'extensions',
  answers: 'answers',
  group: 'group',
  rank: 'rank',
  isStatic: 'static',
  doubts: '! what is true of a server is not for the user to say',
  mayWaitForNetwork: '! what is true of a server is not for the user to say',
  ready: 'ready',
  timeouts: 'timeouts',
  far: 'via',
  untested: '! what is true of a server is not for the user to say',
  install: 'install',
  program: {
    sources: 'command',
    args: 'args',
    needsPackages: '! a matter of lspan install',
    rootArgs: 'args',
    untrustedArgs: '! chosen for safety',
    workingFolder: 'cwd',
    env: 'env',
    rootEnv: 'env',
    startsEarly: 'start',
    startAttempts: 'start_attempts',
    childDied: 'child_died',
    initializeTimeout: 'initialize_timeout_s',
    memory: 'memory_mb',
  },
  handshake: {
    initializationOptions: 'initialization_options',
    settings: 'settings',
    asksForSettings: '! being sent them too only costs time',
    clientCapabilities: 'client_capabilities',
  },
  trust: {
    runs: '! trust is given folder by folder',
    answersWithout: '! trust is given folder by folder',
    withheld: '! a function',
    includesText: '! what is true of a server is not for the user to say',
    boundTo: '! trust is given folder by folder',
  },
  confinement: {
    confine: 'confine',
    reads: 'library_folders',
    writes: 'writable_folders',
    env: 'env',
  },
  files: {
    onlyBelow: 'only_below',
    onlyWithExtensions: 'only_beside',
    importedExtensions: 'sees',
    restartsOn: 'restarts_on',
    watchAlso: 'watch',
    libraryRoots: 'library_folders',
    programFiles: '! a function',
    writes: 'writes',
  },
  projects: {
    markers: 'root_markers',
    ofMarker: '! a function',
    ofFile: '! a function',
    includedByOthers: '! a function',
    compiled: '! a function',
    settingsOfFiles: '! a function',
    isOutdated: '! a function',
    workspaceFolders: 'workspace_folders',
    rootFolder: 'root_dir',
    rootIsOnlyFolder: 'root_markers',
    loadsOnOpen: 'loads_on_open',
    importedFiles: '! a habit of a language, not of a set-up',
  },
  sync: {
    opensChanged: '! a habit of one server that nobody needs to set',
    searchesReadTexts: '! what is true of a server is not for the user to say',
    answersUnopened: 'answers_unopened',
    readsOnlyOpen: 'reads_only_open',
    headers: '! a habit of a language, not of a set-up',
    sources: '! a habit of a language, not of a set-up',
    publishesWhenRead: 'publishes_when_read',
    opensCreated: 'opens_created',
  },
  disk: {
    imports: '! what is true of a server is not for the user to say',
    visibleOnlyByImport: '! a habit of a language, not of a set-up',
    configFiles: '! what is true of a server is not for the user to say',
    referencedTexts: '! what is true of a server is not for the user to say',
    otherLanguages: '! what is true of a server is not for the user to say',
  },
  search: {
    symbolQuery: '! a function',
    alias: '! a habit of a language, not of a set-up',
    unreported: '! a habit of a language, not of a set-up',
    excludes: '! a function',
    projectOnly: '! what is true of a server is not for the user to say',
    directImplementationsOnly: '! what is true of a server is not for the user to say',
    exportedUnderAnyName: '! a habit of a language, not of a set-up',
    symbolCap: 'symbol_cap',
    fileCap: '! what is true of a server is not for the user to say',
  },
  edits: {
    replacedCommands: '! functions',
    columnsBeyondLineEnd: '! what is true of a server is not for the user to say',
    commands: 'edit_commands',
    renamesByAlias: '! what is true of a server is not for the user to say',
  },
  diagnostics: {
    verdict: '! a function',
    isRetraction: '! a function',
    checksFilesAlone: 'checks_files_alone',
    quiet: 'diagnostics_quiet_ms',
    tellsVersions: '! what is true of a server is not for the user to say',
    mixesFolders: '! what is true of a server is not for the user to say',
    checking: '! what is true of a server is not for the user to say',
    publishesProjects: '! what is true of a server is not for the user to say',
    beforeReady: '! a function',
    missingPackages: '! what is true of a server is not for the user to say',
    checkCommand: '! functions',
  },
  quirks: {
    relays: '! a protocol between two servers that know each other',
    questionCommands: '! functions',
    countsByteOrderMark: '! what is true of a server is not for the user to say',
    generatedFiles: '! what is true of a server is not for the user to say',
    noSymbolMessage: '! what is true of a server is not for the user to say',
  },
};

/** A key or a reason for each field, and for each field of a group. */
type Keys<T> = { readonly [K in keyof T]-?: K extends Group ? Keys<NonNullable<T[K]>> : string };

type Group =
  | 'program'
  | 'handshake'
  | 'trust'
  | 'confinement'
  | 'files'
  | 'projects'
  | 'sync'
  | 'disk'
  | 'search'
  | 'edits'
  | 'diagnostics'
  | 'quirks';

it('every field of a definition can be set by a key, or there is a reason why not', () => {
  const keys = new Set(Object.values(fields).flatMap(keysOf));
  const others = ['enabled', 'language_id', 'paths', 'shared'];
  expect([...keys, ...others].sort()).toEqual(Object.keys(tableAt(['servers', 0]) ?? {}).sort());
});

function keysOf(field: string | Readonly<Record<string, string>>): readonly string[] {
  const all = typeof field === 'string' ? [field] : Object.values(field);
  return all.filter((key) => !key.startsWith('!'));
}

describe('the JSON Schema for editors', () => {
  it('is shipped as `lspan config` prints it', () => {
    const made = `${JSON.stringify(configSchema(), undefined, 2)}\n`;
    if (update) writeFileSync(path.join(root, 'docs/config.schema.json'), made);
    expect(read('docs/config.schema.json')).toBe(made);
  });

  it('has exactly the keys of the file', () => {
    const { properties } = JSON.parse(read('docs/config.schema.json'));
    expect(Object.keys(properties)).toEqual(['$schema', ...Object.keys(userSchema.shape)]);
    const { servers, limits } = properties;
    expect(Object.keys(servers.items.properties)).toEqual(Object.keys(tableAt(['servers', 0]) ?? {}));
    expect(Object.keys(limits.properties)).toEqual(Object.keys(tableAt(['limits']) ?? {}));
    for (const table of [servers.items, limits]) expect(table.additionalProperties).toBe(false);
  });

  it('states the defaults', () => {
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
