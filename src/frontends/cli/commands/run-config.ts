import path from 'node:path';
import type { Config, ConfigSource } from '../../../config/config.ts';
import { effectiveValues } from '../../../config/effective-value.ts';
import { silent } from '../../../core/log.ts';
import { realFile } from '../../../platform/files/real-file.ts';
import { catalogue } from '../../../surfaces/catalogue.ts';
import { findWorkspace } from '../../find-workspace.ts';
import { checkNames } from '../check-names.ts';
import type { CommandLine } from '../parse-command-line.ts';
import type { Flags } from '../parse-flags.ts';
import { print } from '../print.ts';
import { overridesOf, type ProcessContext } from '../read-settings.ts';
import { type ConfigReport, configText } from './config-text.ts';

type ConfigCommand = Extract<CommandLine, { readonly kind: 'config' }>;

/** Runs `lspan config`: prints the configuration in effect, or the schema of the user's file. */
export async function runConfig(
  { flags }: ConfigCommand,
  context: ProcessContext,
  write: (text: string) => Promise<void> = print,
): Promise<number> {
  await write(flags.schema ? await schemaText() : await reportText(flags, context));
  return 0;
}

async function schemaText(): Promise<string> {
  const { configSchema } = await import('../../../config/schema/config-schema.ts');
  return `${JSON.stringify(configSchema(), undefined, 2)}\n`;
}

async function reportText(flags: Flags, context: ProcessContext): Promise<string> {
  const report = await makeReport(flags, context);
  return flags.json ? `${JSON.stringify(report, undefined, 2)}\n` : configText(report);
}

async function makeReport(flags: Flags, context: ProcessContext): Promise<ConfigReport> {
  const { roots, why } = findWorkspace({ ...context, flags: flags.workspace });
  const { inspectConfig } = await import('../../../offline.ts');
  const { config, servers } = inspectConfig({
    roots: roots.map((root) => realFile(root)?.path ?? root),
    overrides: { ...overridesOf(flags), ...logOf(flags) },
    log: silent,
    environment: context.environment,
    ...(flags.config === undefined ? {} : { configFile: path.resolve(context.cwd, flags.config) }),
  });
  checkNames(catalogue, { surface: 'lspan', toolsets: config.toolsets }, 'config');
  const sources = [...config.sources, ...flagSources(flags)];
  return {
    workspace: roots,
    workspace_from: why,
    user_file: config.userFile ?? null,
    values: effectiveValues({ ...config, sources }),
    servers,
    warnings: config.warnings,
  };
}

function logOf({ logLevel, logFormat }: Flags): Partial<Config> {
  return {
    ...(logLevel === undefined ? {} : { logLevel }),
    ...(logFormat === undefined ? {} : { logFormat }),
  };
}

function flagSources(flags: Flags): readonly ConfigSource[] {
  const given: readonly (readonly [string, string, unknown])[] = [
    ['--output', 'output', flags.output],
    ['--toolset', 'toolsets', flags.toolset.length > 0 ? flags.toolset : undefined],
    ['--read-only', 'read_only', flags.readOnly || undefined],
    ['--log-level', 'log_level', flags.logLevel],
    ['--log-format', 'log_format', flags.logFormat],
  ];
  return given
    .filter(([, , value]) => value !== undefined)
    .map(([flag, key, value]) => ({ kind: 'flag', name: `flag ${flag}`, keys: { [key]: value } }));
}
