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

type Showing = Extract<CommandLine, { readonly kind: 'config' }>;

/** Prints the configuration in effect, or the schema of the user's file; returns the exit code. */
export async function runConfig(
  { flags }: Showing,
  around: ProcessContext,
  tell: (text: string) => Promise<void> = print,
): Promise<number> {
  await tell(flags.schema ? await schemaText() : await reportText(flags, around));
  return 0;
}

async function schemaText(): Promise<string> {
  const { configSchema } = await import('../../../config/schema/config-schema.ts');
  return `${JSON.stringify(configSchema(), undefined, 2)}\n`;
}

async function reportText(flags: Flags, around: ProcessContext): Promise<string> {
  const report = await makeReport(flags, around);
  return flags.json ? `${JSON.stringify(report, undefined, 2)}\n` : configText(report);
}

async function makeReport(flags: Flags, around: ProcessContext): Promise<ConfigReport> {
  const { roots, why } = findWorkspace({ ...around, flags: flags.workspace });
  const { inspectConfig } = await import('../../../offline.ts');
  const { config, servers } = inspectConfig({
    roots: roots.map((root) => realFile(root)?.path ?? root),
    overrides: { ...overridesOf(flags), ...logOf(flags) },
    log: silent,
    environment: around.environment,
    ...(flags.config === undefined ? {} : { configFile: path.resolve(around.cwd, flags.config) }),
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
