import path from 'node:path';
import type { BridgeSettings } from '../bridge-settings.ts';
import type { AnswerSource, GivenBackend, ServerControl } from '../core/backend.ts';
import { checkArguments, either, having, type Kind, kinds } from '../core/check-arguments.ts';
import { LspanError } from '../core/errors.ts';
import { type Log, silent } from '../core/log.ts';
import type { EmbeddedBridge } from './embedded-bridge.ts';
import type { ConfigFile } from './from-schemas/config-file.ts';

/**
 * Opens a bridge to the language servers of a workspace. It starts no server unless the configuration says so. Rejects
 * with `invalid_input` if the settings or the configuration are wrong, and with `not_found` if a folder of the workspace
 * does not exist. Close the bridge when done: running servers keep the program alive.
 *
 * ```js
 * import { createBridge } from 'lspan';
 *
 * const bridge = await createBridge({ workspace: '.' });
 * const { data, doubts } = await bridge.call('find_references', { symbol_name: 'addPrices' });
 * for (const { file_path, line } of data.references) console.log(file_path, line);
 * await bridge.close();
 * ```
 */
export async function createBridge(settings: CreateSettings): Promise<EmbeddedBridge> {
  const read = readSettings(settings);
  const { openEmbedded } = await import('./open-embedded.ts');
  return openEmbedded(read);
}

/** Settings of `createBridge`. */
export interface CreateSettings {
  /** The folder or folders to work in. Relative paths are resolved against the current directory. */
  readonly workspace: string | readonly string[];
  /** Content of a configuration file, or the path of one (.toml or .json). Default: the user's file, if there is one. */
  readonly config?: string | ConfigFile | undefined;
  /**
   * Answers questions about code, instead of language servers, and is closed with the bridge. Without `overlay` and
   * `servers`, what needs them says so.
   */
  readonly backend?: GivenBackend | undefined;
  /** Called for each log event; should not throw. Default: no log. */
  readonly log?: Log | undefined;
  /** Refuses every tool that changes files. */
  readonly readOnly?: boolean | undefined;
  /** Environment variables of lspan and its servers. Default: those of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Validates and converts the settings. Throws `invalid_input`: the caller may not be type-checked. */
function readSettings(given: CreateSettings): BridgeSettings {
  checkArguments('createBridge', given, rows);
  const { workspace, config, backend, log = silent, readOnly, environment } = given;
  const folders = typeof workspace === 'string' ? [workspace] : (workspace ?? []);
  if (folders.length === 0) throw noWorkspace();
  return {
    roots: folders.map((folder) => path.resolve(folder)),
    surface: 'lspan',
    log,
    ...(backend && { backend }),
    ...(environment && { environment: { ...environment } }),
    ...(readOnly !== undefined && { overrides: { readOnly } }),
    ...(typeof config === 'string' && { configFile: config }),
    ...(typeof config === 'object' && { configValue: { value: config, name: 'given to createBridge' } }),
  };
}

const sourceMethods: Readonly<Record<Exclude<keyof AnswerSource, 'id' | 'isStandby' | 'answers'>, true>> = {
  ask: true,
  visibility: true,
  diagnostics: true,
  workspaceDiagnostics: true,
  propose: true,
  onDiagnostics: true,
  close: true,
};

const controlMethods: Readonly<Record<keyof ServerControl, true>> = {
  status: true,
  restart: true,
  stop: true,
  filesMoved: true,
  askRunning: true,
  filesWithProblems: true,
};

const rows: Readonly<Record<keyof CreateSettings, Kind>> = {
  workspace: kinds.folders,
  config: either({ ...kinds.record, said: 'an object' }, { ...kinds.text, said: 'the path of a file' }),
  backend: backendKind(),
  log: kinds.listener,
  readOnly: kinds.flag,
  environment: kinds.variables,
};

/** A backend; its optional parts are checked where they are given. */
function backendKind(): Kind {
  const methods = having(Object.keys(sourceMethods));
  const control = having(Object.keys(controlMethods));
  const parts: Readonly<Record<string, Kind>> = {
    id: kinds.text,
    answers: optional(kinds.listener),
    overlay: optional(kinds.listener),
    servers: optional(control),
  };
  const hasParts = (value: unknown) =>
    Object.entries(parts).every(([name, { is }]) => is(Reflect.get(Object(value), name)));
  return {
    is: (value) => methods.is(value) && hasParts(value),
    said: `${methods.said}, and an id; it may have the methods answers and overlay, and as servers ${control.said}`,
  };
}

function optional({ is, said }: Kind): Kind {
  return { is: (value) => value === undefined || is(value), said };
}

function noWorkspace(): LspanError {
  return new LspanError('invalid_input', 'createBridge: No workspace is given.', {
    nextStep: 'Give the path of a folder as the setting workspace, or a list of such paths.',
  });
}
