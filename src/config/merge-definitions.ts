import type { ServerDefinition } from '../backends/lsp/server-definition.ts';
import { LspanError } from '../core/errors.ts';
import { mergeDeep, mergeTables, nestTable, valueAt } from '../core/merge-deep.ts';
import { nearestName } from '../core/nearest-name.ts';
import type { Config, ConfiguredServer } from './config.ts';
import { languageId } from './language-ids.ts';

/** A server that the user chose is preferred to every one of ours. */
const chosenRank = 100;

/** Joins the built-in definitions with what the user changed, added and switched off. */
export function mergeDefinitions(
  builtIn: readonly ServerDefinition[],
  config: Config,
): readonly ServerDefinition[] {
  const mine = new Map(config.servers.map((server) => [server.id, server]));
  const off = new Set([...config.disabledServers, ...config.servers.filter(isOff).map(({ id }) => id)]);
  const ids = new Set(builtIn.map(({ id }) => id));
  const added = config.servers.filter(({ id }) => !ids.has(id) && !off.has(id));
  return [
    ...added.map((server) => addServer(server, config, [...ids])),
    ...builtIn.filter(({ id }) => !off.has(id)).map((ours) => changeServer(ours, mine.get(ours.id))),
  ];
}

function isOff(server: ConfiguredServer): boolean {
  return server.enabled === false;
}

function addServer(server: ConfiguredServer, config: Config, known: readonly string[]): ServerDefinition {
  const { id, command, extensions } = server;
  if (command === undefined || extensions === undefined) throw incomplete(server, config, known);
  const plain: ServerDefinition = {
    id,
    extensions: {},
    program: [],
    args: [],
    ready: { kind: 'unknown' },
    install: `Install the program ${command[0]} that your configuration names for ${id}.`,
  };
  return changeServer(plain, server);
}

function changeServer(ours: ServerDefinition, server: ConfiguredServer | undefined): ServerDefinition {
  if (server === undefined) return ours;
  const { command, initializeTimeout, start } = server;
  const chosen = command !== undefined || server.extensions !== undefined;
  return {
    ...ours,
    extensions: languagesOf(ours, server),
    env: { ...ours.env, ...server.env },
    ...(command === undefined ? {} : { program: [{ kind: 'command', command }], args: [] }),
    ...(chosen ? { rank: chosenRank } : {}),
    ...(start === undefined ? {} : { startsEarly: start === 'early' }),
    ...(initializeTimeout === undefined ? {} : { initializeTimeout }),
    ...optionsOf(ours, server),
    ...settingsOf(ours, server),
  };
}

function languagesOf(ours: ServerDefinition, server: ConfiguredServer): ServerDefinition['extensions'] {
  const extensions = server.extensions ?? Object.keys(ours.extensions);
  const language = (name: string) => server.languageId ?? ours.extensions[name] ?? languageId(name);
  return Object.fromEntries(extensions.map((name) => [name, language(name)]));
}

function optionsOf(ours: ServerDefinition, server: ConfiguredServer): Partial<ServerDefinition> {
  const { initializationOptions } = server;
  if (initializationOptions === undefined) return {};
  return {
    initializationOptions: (facts) => mergeDeep(ours.initializationOptions?.(facts), initializationOptions),
  };
}

/** A definition of ours may hold a section under its dotted name, which would hide the same section in a table. */
function settingsOf(ours: ServerDefinition, server: ConfiguredServer): Partial<ServerDefinition> {
  if (server.settings === undefined) return {};
  const nested = nestTable(server.settings);
  return {
    settings: (facts) => {
      const below = ours.settings?.(facts) ?? {};
      const sections = Object.keys(below).map((name) => [
        name,
        mergeDeep(below[name], valueAt(nested, name)),
      ]);
      return mergeTables(mergeTables(below, nested), Object.fromEntries(sections));
    },
  };
}

function incomplete(server: ConfiguredServer, config: Config, known: readonly string[]): LspanError {
  const nearest = nearestName(server.id, known);
  const where = config.userFile === undefined ? 'The configuration' : `The configuration ${config.userFile}`;
  const fix =
    nearest === undefined
      ? 'Give it command and extensions'
      : `Did you mean ${nearest}? Else give it command and extensions`;
  return new LspanError(
    'invalid_input',
    `${where} cannot be used: servers: lspan knows no server ${server.id}. ${fix}.`,
    { nextStep: 'Correct the configuration file, then start lspan again.' },
  );
}
