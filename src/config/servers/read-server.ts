import type { z } from 'zod';
import type { ConfiguredServer } from '../config.ts';
import { definedFields } from '../defined-fields.ts';
import { mebibyte } from '../schema/key-shapes.ts';
import { readySignal } from '../schema/ready-signal-schema.ts';
import type { serverSchema } from '../schema/server-schema.ts';
import { extensionName } from './language-id.ts';
import { byService, servicesNamed } from './question-names.ts';

type ServerKeys = z.output<typeof serverSchema>;

/** Converts a `[[servers]]` entry to our names and units. */
export function readServer(keys: ServerKeys): ConfiguredServer {
  const { id, enabled, command, via, paths, shared, args, env, settings, start } = keys;
  const { group, rank, writes, install } = keys;
  const same = {
    enabled,
    command,
    via,
    paths,
    shared,
    args,
    env,
    settings,
    start,
    group,
    rank,
    writes,
    install,
  };
  return {
    id,
    ...definedFields({
      ...same,
      ...renamed(keys),
      extensions: keys.extensions && extensionsOf(keys.extensions),
      initializeTimeout: scaled(keys.initialize_timeout_s, 1_000),
      timeouts: keys.timeouts && byService(keys.timeouts, 1_000),
      ready: keys.ready && readySignal(keys.ready),
      answers: keys.answers && servicesNamed(keys.answers),
      answersUnopened: keys.answers_unopened && servicesNamed(keys.answers_unopened),
      memory: scaled(keys.memory_mb, mebibyte),
      childDied: keys.child_died === undefined ? undefined : new RegExp(keys.child_died),
    }),
  };
}

/** Keys of which only the name differs from ours. */
function renamed(keys: ServerKeys) {
  return {
    languageId: keys.language_id,
    initializationOptions: keys.initialization_options,
    clientCapabilities: keys.client_capabilities,
    projectMarkers: keys.root_markers,
    rootFolder: keys.root_dir,
    cwd: keys.cwd,
    onlyBelow: keys.only_below,
    watchAlso: keys.watch,
    restartsOn: keys.restarts_on,
    libraryFolders: keys.library_folders,
    confine: keys.confine,
    writableFolders: keys.writable_folders,
    onlyBeside: keys.only_beside,
    sees: keys.sees,
    workspaceFolders: keys.workspace_folders,
    startAttempts: keys.start_attempts,
    readsOnlyOpen: keys.reads_only_open,
    publishesWhenRead: keys.publishes_when_read,
    checksFilesAlone: keys.checks_files_alone,
    loadsOnOpen: keys.loads_on_open,
    opensCreated: keys.opens_created,
    diagnosticsQuiet: keys.diagnostics_quiet_ms,
    symbolCap: keys.symbol_cap,
    isStatic: keys.static,
    editCommands: keys.edit_commands,
  };
}

function scaled(value: number | undefined, unit: number): number | undefined {
  return value === undefined ? undefined : Math.floor(value * unit);
}

function extensionsOf(
  extensions: NonNullable<ServerKeys['extensions']>,
): NonNullable<ConfiguredServer['extensions']> {
  const name = (extension: string) => extensionName(extension) ?? extension;
  if (Array.isArray(extensions)) return extensions.map(name);
  return Object.fromEntries(Object.entries(extensions).map(([key, language]) => [name(key), language]));
}
