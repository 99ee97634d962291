import path from 'node:path';
import type { BridgeSettings } from '../../bridge-settings.ts';
import type { Config, OutputMode } from '../../config/config.ts';
import type { ConfigSources } from '../../config/config-files.ts';
import { defaultConfig } from '../../config/default-config.ts';
import { hasIndexes } from '../../config/index-place.ts';
import { findUserFile, maySet } from '../../config/user-file.ts';
import { asLspanError, type LspanError } from '../../core/errors.ts';
import { silent } from '../../core/log.ts';
import { additionalRoots, findWorkspace } from '../find-workspace.ts';
import { createLog } from '../observe/log.ts';
import type { LogStyle } from '../observe/log-value.ts';
import { openTrace, type Trace } from '../observe/trace-file.ts';
import type { ViaSearch } from '../via/open-via.ts';
import type { Flags } from './parse-flags.ts';

/** The process in which a command runs. */
export interface ProcessContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
}

/** Settings of a command, from the flags and the user's configuration. */
export interface CommandSettings {
  readonly bridge: Omit<BridgeSettings, 'roots'>;
  readonly roots: readonly string[];
  readonly rootsFromClient: boolean;
  readonly output: OutputMode;
  readonly toolsets: readonly string[];
  readonly startsEarly: boolean;
  readonly readOnly: boolean;
  /** True if the daemon is to do the work. */
  readonly daemon: boolean;
  /** Set if lspan at the far end of a command is to do the work. */
  readonly via?: Pick<ViaSearch, 'command' | 'program' | 'flags' | 'logLevel'>;
  /** Settings of `lspan serve` in the configuration. */
  readonly serve: Config['serve'];
  /** True if other repositories may be indexed. */
  readonly hasIndexes: boolean;
  /** Set if the log is redacted: the command then decides what is traced. */
  readonly trace?: Trace['write'];
  readonly close: () => void;
}

/** Properties of one command. */
export interface CommandOptions {
  readonly surface: string;
  readonly single?: NonNullable<BridgeSettings['single']>;
  /** Replaces the user's file. */
  readonly configValue?: NonNullable<BridgeSettings['configValue']>;
  /** With a faulty configuration, every call reports it instead of the process ending: an agent can tell its user. */
  readonly survivesFaults: boolean;
  /** True for `lspan serve`, whose additional roots the configuration may name. */
  readonly serves?: boolean;
  /** Style of a log that may be shown to others. */
  readonly redacted?: (roots: readonly string[]) => LogStyle;
}

/** Combines flags, configuration and environment. Throws `invalid_input` for errors of the user. */
export async function readSettings(
  flags: Flags,
  options: CommandOptions,
  context: ProcessContext,
): Promise<CommandSettings> {
  const { environment, cwd } = context;
  const { here, workspace } = placeOf(flags, context);
  const configFile = here.config === undefined ? undefined : path.resolve(cwd, here.config);
  const { configValue } = options;
  const sources = { configFile, configValue, mayWait: options.survivesFaults };
  const reading = readUserConfig(sources, environment).then((config) => ({
    config,
    fault: undefined,
  }));
  const { config, fault } = await reading.catch(withDefaults);
  if (fault !== undefined && !options.survivesFaults) throw fault;
  const { logLevel = config.logLevel, logFormat = config.logFormat } = flags;
  const configured = options.serves ? config.serve.additionalRoots : [];
  const additional = additionalRoots([...here.additionalRoot, ...configured], context);
  const style = options.redacted?.([...workspace.roots, ...additional]);
  const log = createLog({ level: logLevel, format: logFormat, ...(style && { style }) });
  if (fault !== undefined) log('error', 'config_fault', { error: fault });
  if (workspace.refused !== undefined) log('warn', 'no_workspace', { why: workspace.refused });
  log('info', 'workspace', { roots: workspace.roots, why: workspace.why });
  const trace = flags.trace === undefined ? undefined : openTrace(path.resolve(cwd, flags.trace), log);
  const set = { ...config, ...overridesOf(flags) };
  return {
    bridge: {
      surface: options.surface,
      overrides: { ...overridesOf(flags), logLevel, logFormat },
      log,
      ...(additional.length === 0 ? {} : { additionalRoots: additional }),
      ...(configFile === undefined ? {} : { configFile }),
      ...(configValue && { configValue }),
      ...(options.single === undefined ? {} : { single: options.single }),
      ...(trace && !style ? { trace: trace.write } : {}),
    },
    ...(trace && style ? { trace: trace.write } : {}),
    roots: workspace.roots,
    rootsFromClient: workspace.fromClient,
    output: set.output,
    toolsets: set.toolsets,
    readOnly: set.readOnly,
    // A trace is written by the process that has the servers.
    daemon: set.daemon && !trace && !options.single,
    ...(flags.via && { via: viaOf(flags.via, flags, logLevel) }),
    serve: config.serve,
    hasIndexes: hasIndexes(config.index, environment),
    startsEarly: config.servers.some(({ start }) => start === 'early'),
    close: () => trace?.close(),
  };
}

/** Separates the flags that are about this machine from those about the far end, and chooses the workspace. */
function placeOf(flags: Flags, context: ProcessContext) {
  if (!flags.via) {
    const { workspace, wideWorkspace: wide } = flags;
    return { here: flags, workspace: findWorkspace({ ...context, flags: workspace, wide }) };
  }
  // The client's folders, too, are of this machine: only the far end knows what is a folder there.
  const roots = flags.workspace.length > 0 ? flags.workspace : ['.'];
  const workspace = { roots, fromClient: false, why: '--via', refused: undefined };
  return { here: { config: undefined, additionalRoot: [] }, workspace };
}

function viaOf(
  command: readonly string[],
  { viaProgram = ['lspan'], workspace, additionalRoot, wideWorkspace, config }: Flags,
  logLevel: Config['logLevel'],
): NonNullable<CommandSettings['via']> {
  const flags = { workspace, additionalRoot, wideWorkspace, config };
  return { command, program: viaProgram, flags, logLevel };
}

/** Uses the defaults until the configuration is corrected. */
function withDefaults(thrown: unknown): { readonly config: Config; readonly fault: LspanError } {
  return { config: defaultConfig, fault: asLspanError(thrown) };
}

/** Returns the values that flags override, except those of the log. */
export function overridesOf({ output, toolset, readOnly, daemon, noDaemon }: Flags): Partial<Config> {
  return {
    ...(output === undefined ? {} : { output }),
    ...(toolset.length === 0 ? {} : { toolsets: toolset }),
    ...(readOnly ? { readOnly } : {}),
    ...(daemon || noDaemon ? { daemon: daemon && !noDaemon } : {}),
  };
}

/**
 * Reads what is needed of the user's configuration before the bridge opens; a repository cannot set any of it. Without
 * a file the loader is not imported, since that would cost more than the rest of the start; nor if the file sets nothing
 * that counts before the first call, which reads it again and reports its faults.
 */
async function readUserConfig(
  { configFile, configValue, mayWait }: UserSources,
  environment: ProcessContext['environment'],
): Promise<Config> {
  const file = configValue === undefined ? (configFile ?? findUserFile(environment)) : undefined;
  if (configValue === undefined && (file === undefined || (mayWait && !maySet(file, keysAtStart))))
    return defaultConfig;
  const { loadConfig } = await import('../../config/load-config.ts');
  return loadConfig({ configFile, configValue, roots: [], environment, log: silent });
}

interface UserSources extends Pick<ConfigSources, 'configFile' | 'configValue'> {
  /** True if only what counts before the first call is needed. */
  readonly mayWait: boolean;
}

/** The keys that decide how lspan presents itself, which log it writes, and whether a server starts before it is needed. */
const keysAtStart = ['output', 'toolsets', 'read_only', 'daemon', 'log_level', 'log_format', 'start'];
