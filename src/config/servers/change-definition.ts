import path from 'node:path';
import { mergeDeep, mergeTables, nestTable, valueAt } from '../../core/runtime/merge-json.ts';
import type { ServerDefinition } from '../../servers/definition.ts';
import type { ConfiguredServer } from '../config.ts';
import { definedFields } from '../defined-fields.ts';
import { languageId } from './language-id.ts';

/** A server that the user chose is preferred to every one of ours. */
const chosenRank = 100;

/** A definition with what the user set: tables are merged over ours, everything else takes its place. */
export function changeDefinition(ours: ServerDefinition, server: ConfiguredServer): ServerDefinition {
  const { id, enabled, command, extensions, languageId: language, env, start, ...rest } = server;
  const { initializationOptions, settings, clientCapabilities, timeouts, ...others } = rest;
  const { projectMarkers, libraryFolders, workspaceFolders, ...replaced } = others;
  const chosen = command !== undefined || extensions !== undefined;
  return {
    ...ours,
    ...(chosen ? { rank: chosenRank } : {}),
    ...(command === undefined ? {} : ofCommand(ours, command)),
    ...(command === undefined && replaced.args === undefined ? {} : { rootArgs: () => [] }),
    ...definedFields(replaced),
    ...(chosen || language !== undefined ? { extensions: languagesOf(ours, server) } : {}),
    ...(env === undefined ? {} : { env: { ...ours.env, ...env } }),
    ...(start === undefined ? {} : { startsEarly: start === 'early' }),
    ...(timeouts === undefined ? {} : { timeouts: { ...ours.timeouts, ...timeouts } }),
    ...(initializationOptions === undefined ? {} : optionsOf(ours, initializationOptions)),
    ...(settings === undefined ? {} : settingsOf(ours, settings)),
    ...(clientCapabilities === undefined
      ? {}
      : { clientCapabilities: mergeTables(ours.clientCapabilities ?? {}, clientCapabilities) }),
    ...(projectMarkers === undefined ? {} : projectsOf(ours, projectMarkers)),
    ...(libraryFolders === undefined ? {} : librariesOf(ours, libraryFolders)),
    ...(workspaceFolders === undefined ? {} : foldersOf(ours, workspaceFolders)),
  };
}

function ofCommand({ id }: ServerDefinition, command: readonly string[]): Partial<ServerDefinition> {
  return {
    program: [{ kind: 'command', command }],
    args: [],
    install: `Install ${command[0]} outside the workspace, or correct the command of ${id} in your configuration.`,
  };
}

function languagesOf(ours: ServerDefinition, server: ConfiguredServer): ServerDefinition['extensions'] {
  const { extensions = Object.keys(ours.extensions), languageId: all } = server;
  const table = isList(extensions) ? {} : extensions;
  const names = isList(extensions) ? extensions : Object.keys({ ...ours.extensions, ...extensions });
  const language = (name: string) => table[name] ?? all ?? ours.extensions[name] ?? languageId(name);
  return Object.fromEntries(names.map((name) => [name, language(name)]));
}

function isList(extensions: NonNullable<ConfiguredServer['extensions']>): extensions is readonly string[] {
  return Array.isArray(extensions);
}

function optionsOf(ours: ServerDefinition, options: unknown): Partial<ServerDefinition> {
  return {
    initializationOptions: (...known) => mergeDeep(ours.initializationOptions?.(...known), options),
  };
}

/** A definition of ours may hold a section under its dotted name, which would hide the same section in a table. */
function settingsOf(
  ours: ServerDefinition,
  settings: Readonly<Record<string, unknown>>,
): Partial<ServerDefinition> {
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

/** What we know of reading a marker holds for our own markers only; one of another name stands for all below it. */
function projectsOf(ours: ServerDefinition, markers: readonly string[]): Partial<ServerDefinition> {
  const { projects, projectMarkers = [] } = ours;
  const all = { includes: () => true };
  return {
    projectMarkers: markers,
    ...(projects === undefined
      ? {}
      : {
          projects: async (marker, read) =>
            projectMarkers.includes(path.basename(marker))
              ? projects(marker, read)
              : [{ id: marker, ...all }],
        }),
  };
}

function librariesOf(ours: ServerDefinition, folders: readonly string[]): Partial<ServerDefinition> {
  return {
    libraryRoots: (...known) => [...(ours.libraryRoots?.(...known) ?? []), ...folders],
  };
}

function foldersOf(
  { foldersOf: ours }: ServerDefinition,
  { markers, unless }: NonNullable<ConfiguredServer['workspaceFolders']>,
): Partial<ServerDefinition> {
  return { foldersOf: { markers: markers ?? ours?.markers ?? [], unless: unless ?? ours?.unless ?? [] } };
}
