import path from 'node:path';
import type { BridgeSettings } from '../../bridge-settings.ts';
import type { Config, OutputMode } from '../../config/config.ts';
import { defaultConfig } from '../../config/default-config.ts';
import type { ConfigSources } from '../../config/load-config.ts';
import { findUserFile } from '../../config/user-file.ts';
import { asLspanError, type LspanError } from '../../core/errors.ts';
import { silent } from '../../core/log.ts';
import { additionalRoots, findWorkspace } from '../find-workspace.ts';
import { createLog } from '../observe/log.ts';
import type { LogStyle } from '../observe/log-value.ts';
import { openTrace, type Trace } from '../observe/trace-file.ts';
import type { Flags } from './parse-flags.ts';

/** What the process around a command tells. */
export interface ProcessContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
}

/** Everything that a frontend needs before anything starts, from the flags and the user's configuration. */
export interface Prepared {
  readonly bridge: Omit<BridgeSettings, 'roots'>;
  readonly roots: readonly string[];
  readonly rootsFromClient: boolean;
  readonly output: OutputMode;
  readonly toolsets: readonly string[];
  readonly startsEarly: boolean;
  readonly readOnly: boolean;
  /** Where the log is discreet, what is traced is for the command to say too. */
  readonly trace?: Trace['write'];
  readonly close: () => void;
}

/** What one command decides for itself. */
export interface Choices {
  readonly surface: string;
  readonly single?: NonNullable<BridgeSettings['single']>;
  /** Instead of a file of the user's. */
  readonly configValue?: NonNullable<BridgeSettings['configValue']>;
  /** A faulty configuration is told by every call instead of ending the process: an agent can then tell its user. */
  readonly survivesFaults: boolean;
  /** How a log is kept that may be shown to others than the user. */
  readonly discreet?: (roots: readonly string[]) => LogStyle;
}

/** Joins flags, configuration and surroundings. Throws `invalid_input` for what the user has to correct. */
export async function readSettings(
  flags: Flags,
  choices: Choices,
  around: ProcessContext,
): Promise<Prepared> {
  const { environment, cwd } = around;
  const workspace = findWorkspace({ ...around, flags: flags.workspace });
  const additional = additionalRoots(flags.additionalRoot, around);
  const configFile = flags.config === undefined ? undefined : path.resolve(cwd, flags.config);
  const { configValue } = choices;
  const reading = readEarly({ configFile, configValue }, environment).then((config) => ({
    config,
    fault: undefined,
  }));
  const { config, fault } = await reading.catch(faulty);
  if (fault !== undefined && !choices.survivesFaults) throw fault;
  const { logLevel = config.logLevel, logFormat = config.logFormat } = flags;
  const manner = choices.discreet?.([...workspace.roots, ...additional]);
  const log = createLog({ level: logLevel, format: logFormat, ...(manner && { manner }) });
  if (fault !== undefined) log('error', 'config_fault', { error: fault });
  log('info', 'workspace', { roots: workspace.roots, why: workspace.why });
  const trace = flags.trace === undefined ? undefined : openTrace(path.resolve(cwd, flags.trace), log);
  const set = { ...config, ...overridesOf(flags) };
  return {
    bridge: {
      surface: choices.surface,
      overrides: { ...overridesOf(flags), logLevel, logFormat },
      log,
      ...(additional.length === 0 ? {} : { additionalRoots: additional }),
      ...(configFile === undefined ? {} : { configFile }),
      ...(configValue && { configValue }),
      ...(choices.single === undefined ? {} : { single: choices.single }),
      ...(trace && !manner ? { trace: trace.write } : {}),
    },
    ...(trace && manner ? { trace: trace.write } : {}),
    roots: workspace.roots,
    rootsFromClient: workspace.fromClient,
    output: set.output,
    toolsets: set.toolsets,
    readOnly: set.readOnly,
    startsEarly: config.servers.some(({ start }) => start === 'early'),
    close: () => trace?.close(),
  };
}

/** Until the configuration is corrected, the defaults hold. */
function faulty(thrown: unknown): { readonly config: Config; readonly fault: LspanError } {
  return { config: defaultConfig, fault: asLspanError(thrown) };
}

/** What flags set over the configuration, beside the log. */
export function overridesOf({ output, toolset, readOnly }: Flags): Partial<Config> {
  return {
    ...(output === undefined ? {} : { output }),
    ...(toolset.length === 0 ? {} : { toolsets: toolset }),
    ...(readOnly ? { readOnly } : {}),
  };
}

/**
 * The user's configuration, as far as it matters before the bridge opens. Without a file nothing is loaded to read
 * one, since that would cost more than the rest of the start. A repository cannot set what is needed here.
 */
async function readEarly(
  { configFile, configValue }: Pick<ConfigSources, 'configFile' | 'configValue'>,
  environment: ProcessContext['environment'],
): Promise<Config> {
  const isNowhere = configFile === undefined && configValue === undefined;
  if (isNowhere && findUserFile(environment) === undefined) return defaultConfig;
  const { loadConfig } = await import('../../config/load-config.ts');
  return loadConfig({ configFile, configValue, roots: [], environment, log: silent });
}
