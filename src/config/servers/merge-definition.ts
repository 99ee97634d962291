import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { mergeDeep, mergeTables, nestTable, valueAt } from '../../core/runtime/merge-json.ts';
import { nearestName } from '../../core/wording/nearest-name.ts';
import type {
  ConfinementFacts,
  FileFacts,
  HandshakeFacts,
  ProjectRules,
  ServerDefinition,
  ServerProgram,
} from '../../servers/definition.ts';
import type { Config, ConfiguredServer } from '../config.ts';
import { definedFields } from '../defined-fields.ts';
import { farCommand } from './far-command.ts';
import { languageId } from './language-id.ts';

/** Applies the servers that the user changed, added and disabled to the built-in definitions. */
export function mergeDefinitions(
  builtIn: readonly ServerDefinition[],
  config: Config,
): readonly ServerDefinition[] {
  const configured = new Map(config.servers.map((server) => [server.id, server]));
  const off = new Set([...config.disabledServers, ...config.servers.filter(isDisabled).map(({ id }) => id)]);
  const ids = new Set(builtIn.map(({ id }) => id));
  const added = config.servers.filter(({ id }) => !ids.has(id) && !off.has(id));
  const change = (ours: ServerDefinition) => {
    const server = configured.get(ours.id);
    return server === undefined ? ours : changeDefinition(ours, server);
  };
  return [
    ...added.map((server) => addServer(server, config, [...ids])),
    ...builtIn.filter(({ id }) => !off.has(id)).map(change),
  ];
}

function isDisabled(server: ConfiguredServer): boolean {
  return server.enabled === false;
}

function addServer(server: ConfiguredServer, config: Config, known: readonly string[]): ServerDefinition {
  const { id, command, extensions } = server;
  if (command === undefined || extensions === undefined) throw incomplete(server, config, known);
  const plain: ServerDefinition = {
    id,
    extensions: {},
    program: { sources: [], args: [] },
    ready: { kind: 'unknown' },
    install: '',
  };
  return changeDefinition(plain, server);
}

function incomplete(server: ConfiguredServer, config: Config, known: readonly string[]): LspanError {
  const nearest = nearestName(server.id, known);
  const where = config.userFile === undefined ? 'The configuration' : `The configuration ${config.userFile}`;
  const fix =
    nearest === undefined
      ? 'Give it command and extensions'
      : `Did you mean ${nearest}? Or give it command and extensions`;
  return new LspanError(
    'invalid_input',
    `${where} cannot be used: servers: lspan knows no server ${server.id}. ${fix}.`,
    { nextStep: 'Correct the configuration file, then start lspan again.' },
  );
}

/** Ranks a server that the user chose above every built-in one. */
const chosenRank = 100;

/** Applies the user's keys to a definition: tables are merged over ours, all other values replace ours. */
function changeDefinition(known: ServerDefinition, given: ConfiguredServer): ServerDefinition {
  const { ours, server } = atFarEnd(known, given);
  const { command, extensions, languageId: language, timeouts } = server;
  const { answers, group, rank, ready, install, isStatic } = server;
  const { answersUnopened, opensCreated, publishesWhenRead, readsOnlyOpen } = server;
  const { symbolCap, checksFilesAlone, diagnosticsQuiet, editCommands: commands } = server;
  const isChosen = command !== undefined || extensions !== undefined;
  return {
    ...ours,
    ...(isChosen ? { rank: chosenRank } : {}),
    ...(command === undefined ? {} : { install: howToInstall(ours.id, command) }),
    ...definedFields({ answers, group, rank, ready, install, isStatic }),
    ...(isChosen || language !== undefined ? { extensions: withLanguages(ours, server) } : {}),
    ...(timeouts === undefined ? {} : { timeouts: { ...ours.timeouts, ...timeouts } }),
    program: programOf(ours.program, server),
    handshake: handshakeOf(ours.handshake ?? {}, server),
    confinement: confinementOf(ours.confinement ?? {}, server),
    files: filesOf(ours.files ?? {}, server),
    projects: projectsOf(ours.projects ?? {}, server),
    sync: {
      ...ours.sync,
      ...definedFields({ answersUnopened, opensCreated, publishesWhenRead, readsOnlyOpen }),
    },
    search: { ...ours.search, ...definedFields({ symbolCap }) },
    edits: { ...ours.edits, ...definedFields({ commands }) },
    diagnostics: { ...ours.diagnostics, ...definedFields({ checksFilesAlone, quiet: diagnosticsQuiet }) },
  };
}

/**
 * Changes a server that runs elsewhere. What our hooks say of paths, variables and libraries is about this machine; the
 * command that leads there needs the network and the user's keys, so it is not confined.
 */
function atFarEnd(known: ServerDefinition, given: ConfiguredServer) {
  const { via, command = [], paths = {}, shared = true, libraryFolders = [], confine = 'never' } = given;
  if (via === undefined) return { ours: known, server: given };
  const { rootEnv: _env, rootArgs: _args, workingFolder: _folder, ...program } = known.program;
  const { libraryRoots: _libraries, programFiles: _programs, ...files } = known.files ?? {};
  const { initializationOptions: _options, settings: _settings, ...handshake } = known.handshake ?? {};
  const pairs = Object.entries(paths).map(([near, far]) => ({ near, far }));
  const isWindows = pairs.some(({ far }) => !far.startsWith('/'));
  return {
    ours: { ...known, program, files, handshake, far: { paths: pairs, isShared: shared } },
    server: { ...given, command: farCommand(via, command, isWindows), libraryFolders, confine },
  };
}

function howToInstall(id: string, [program]: readonly string[]): string {
  return `Install ${program} outside the workspace, or correct the command of ${id} in your configuration.`;
}

function programOf(ours: ServerProgram, server: ConfiguredServer): ServerProgram {
  const { command, env, start, args, childDied, initializeTimeout, memory, startAttempts } = server;
  return {
    ...ours,
    ...(command === undefined ? {} : { sources: [{ kind: 'command' as const, command }], args: [] }),
    ...(command === undefined && args === undefined ? {} : { rootArgs: () => [] }),
    ...definedFields({ args, childDied, initializeTimeout, memory, startAttempts }),
    ...(env === undefined ? {} : { env: { ...ours.env, ...env } }),
    ...workingFolderOf(server),
    ...(start === undefined ? {} : { startsEarly: start === 'early' }),
  };
}

/** A folder that does not exist in a root is not used there. */
function workingFolderOf({ cwd, rootFolder }: ConfiguredServer): Pick<ServerProgram, 'workingFolder'> {
  const folder = cwd ?? rootFolder;
  if (folder === undefined) return {};
  return {
    workingFolder: ({ root, exists }) => {
      const resolved = path.resolve(root, folder);
      return exists(resolved) ? resolved : root;
    },
  };
}

function withLanguages(ours: ServerDefinition, server: ConfiguredServer): ServerDefinition['extensions'] {
  const { extensions = Object.keys(ours.extensions), languageId: all } = server;
  const table = isList(extensions) ? {} : extensions;
  const names = isList(extensions) ? extensions : Object.keys({ ...ours.extensions, ...extensions });
  const language = (name: string) => table[name] ?? all ?? ours.extensions[name] ?? languageId(name);
  return Object.fromEntries(names.map((name) => [name, language(name)]));
}

function isList(extensions: NonNullable<ConfiguredServer['extensions']>): extensions is readonly string[] {
  return Array.isArray(extensions);
}

function handshakeOf(ours: HandshakeFacts, server: ConfiguredServer): HandshakeFacts {
  const { initializationOptions: options, settings, clientCapabilities } = server;
  return {
    ...ours,
    ...(options === undefined ? {} : withOptions(ours, options)),
    ...(settings === undefined ? {} : withSettings(ours, settings)),
    ...(clientCapabilities === undefined
      ? {}
      : { clientCapabilities: mergeTables(ours.clientCapabilities ?? {}, clientCapabilities) }),
  };
}

function withOptions(ours: HandshakeFacts, options: unknown): HandshakeFacts {
  return {
    initializationOptions: (...known) => mergeDeep(ours.initializationOptions?.(...known), options),
  };
}

/** A built-in definition may have a section under its dotted name, which would hide that section of a nested table. */
function withSettings(ours: HandshakeFacts, settings: Readonly<Record<string, unknown>>): HandshakeFacts {
  const nested = nestTable(settings);
  return {
    settings: (...known) => {
      const below = ours.settings?.(...known) ?? {};
      const sections = Object.keys(below).map((name) => [
        name,
        mergeDeep(below[name], valueAt(nested, name)),
      ]);
      return mergeTables(mergeTables(below, nested), Object.fromEntries(sections));
    },
  };
}

function confinementOf(ours: ConfinementFacts, server: ConfiguredServer): ConfinementFacts {
  const { confine, writableFolders } = server;
  return {
    ...ours,
    ...definedFields({ confine }),
    ...(writableFolders === undefined
      ? {}
      : { writes: (facts) => [...(ours.writes?.(facts) ?? []), ...writableFolders] }),
  };
}

function filesOf(ours: FileFacts, server: ConfiguredServer): FileFacts {
  const { onlyBelow, onlyBeside, sees, watchAlso, restartsOn, libraryFolders, writes } = server;
  const extensions = { onlyWithExtensions: onlyBeside, importedExtensions: sees };
  return {
    ...ours,
    ...definedFields({ onlyBelow, ...extensions, watchAlso, restartsOn, writes }),
    ...(libraryFolders === undefined ? {} : withLibraries(ours, libraryFolders)),
  };
}

function withLibraries(ours: FileFacts, folders: readonly string[]): FileFacts {
  return {
    libraryRoots: (...known) => [...(ours.libraryRoots?.(...known) ?? []), ...folders],
  };
}

function projectsOf(ours: ProjectRules, server: ConfiguredServer): ProjectRules {
  const { loadsOnOpen, projectMarkers, rootFolder, workspaceFolders } = server;
  return {
    ...ours,
    ...definedFields({ loadsOnOpen, rootFolder }),
    ...(projectMarkers === undefined ? {} : markersOf(ours, projectMarkers)),
    ...(projectMarkers === undefined ? {} : rootAtMarkers(projectMarkers)),
    ...(workspaceFolders === undefined ? {} : foldersOf(ours, workspaceFolders)),
  };
}

/** Our hook `ofMarker` can read only our own markers; a marker of another name includes every file below it. */
function markersOf(
  { markers: known = [], ofMarker }: ProjectRules,
  markers: readonly string[],
): ProjectRules {
  if (ofMarker === undefined) return { markers };
  const all = { includes: () => true };
  return {
    markers,
    ofMarker: async (marker, read) =>
      known.includes(path.basename(marker)) ? ofMarker(marker, read) : [{ id: marker, ...all }],
  };
}

/** The user's markers say where the server works, unless `workspace_folders` does. */
function rootAtMarkers(markers: readonly string[]): ProjectRules {
  return { workspaceFolders: { markers, unless: [] }, rootIsOnlyFolder: true };
}

function foldersOf(
  { workspaceFolders: ours }: ProjectRules,
  { markers, unless }: NonNullable<ConfiguredServer['workspaceFolders']>,
): ProjectRules {
  return {
    workspaceFolders: { markers: markers ?? ours?.markers ?? [], unless: unless ?? ours?.unless ?? [] },
  };
}
