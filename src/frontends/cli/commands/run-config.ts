import path from 'node:path';
import type { Config, ConfigSource } from '../../../config/config.ts';
import { type EffectiveValue, effectiveValues } from '../../../config/effective-value.ts';
import type { ExplainedKey } from '../../../config/schema/explain-key.ts';
import type { ListedServer } from '../../../config/servers/list-servers.ts';
import { silent } from '../../../core/log.ts';
import { realFile } from '../../../platform/files/real-file.ts';
import { catalogue } from '../../../surfaces/catalogue.ts';
import { findWorkspace } from '../../find-workspace.ts';
import { escapeControls } from '../../observe/log.ts';
import { checkNames } from '../check-names.ts';
import type { CommandLine } from '../parse-command-line.ts';
import type { Flags } from '../parse-flags.ts';
import { print } from '../print.ts';
import { overridesOf, type ProcessContext } from '../read-settings.ts';

type ConfigCommand = Extract<CommandLine, { readonly kind: 'config' }>;

/** Runs `lspan config`: prints the configuration in effect, explains a key, or writes a file to begin with. */
export async function runConfig(
  { flags }: ConfigCommand,
  context: ProcessContext,
  write: (text: string) => Promise<void> = print,
): Promise<number> {
  await write(await textFor(flags, context));
  return 0;
}

async function textFor(flags: Flags, context: ProcessContext): Promise<string> {
  if (flags.init) return (await import('./init-config.ts')).initConfig(flags, context);
  if (flags.explain !== undefined) return await explainText(flags.explain, flags, context);
  return flags.schema ? await schemaText() : await reportText(flags, context);
}

async function explainText(key: string, flags: Flags, context: ProcessContext): Promise<string> {
  const { explainKey } = await import('../../../config/schema/explain-key.ts');
  const explained = explainKey(key, await makeReport(flags, context));
  return flags.json ? `${JSON.stringify(explained, undefined, 2)}\n` : renderExplained(explained);
}

function renderExplained({ key, meaning, type, allowed, in_effect, example, ...rest }: ExplainedKey): string {
  const values = in_effect.map(({ key: one, value, origins }) => {
    const said = value === undefined ? one : `${one === key ? '' : `${one} = `}${JSON.stringify(value)}`;
    return `${said} (${origins.join(', ')})`;
  });
  const block = (title: string, lines: readonly string[]) =>
    lines.map((line, at) => [at === 0 ? title : '', line]);
  const rows = [
    ['Type', type],
    ...block('Allowed', allowed === undefined ? [] : [allowed]),
    ['Default', rest.default],
    ...block('In effect', values.length === 0 ? ['not set'] : values),
    ...block('Example', example.split('\n')),
  ];
  const lines = [`${key}: ${meaning}`, '', ...columns(rows)];
  return `${lines.map(escapeControls).join('\n')}\n`;
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
  const { roots, why } = findWorkspace({ ...context, flags: flags.workspace, wide: flags.wideWorkspace });
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
    ['--daemon', 'daemon', flags.daemon || undefined],
    ['--no-daemon', 'daemon', flags.noDaemon ? false : undefined],
    ['--log-level', 'log_level', flags.logLevel],
    ['--log-format', 'log_format', flags.logFormat],
  ];
  return given
    .filter(([, , value]) => value !== undefined)
    .map(([flag, key, value]) => ({ kind: 'flag', name: `flag ${flag}`, keys: { [key]: value } }));
}

/** Output of `lspan config --json`. */
export interface ConfigReport {
  readonly workspace: readonly string[];
  /** The rule that found it. */
  readonly workspace_from: string;
  readonly user_file: string | null;
  readonly values: readonly EffectiveValue[];
  readonly servers: readonly ListedServer[];
  readonly warnings: readonly string[];
}

/** Renders the report for people, in columns. */
export function configText(report: ConfigReport): string {
  const { workspace, workspace_from: why, user_file: file, values, servers, warnings } = report;
  const head = [
    ['Workspace', workspace.length === 0 ? `none: ${why}` : `${workspace.join(', ')} (by ${why})`],
    ['User file', file ?? 'none'],
  ];
  const lines = [
    ...columns(head),
    ...warnings.map((warning) => `! ${warning}`),
    '',
    ...columns(values.map(({ key, value, origins }) => [key, JSON.stringify(value), origins.join(', ')])),
    '',
    ...columns(servers.flatMap(serverRows)),
  ];
  return `${lines.map(escapeControls).join('\n')}\n`;
}

function serverRows({ id, state, command, problem, changes }: ListedServer): readonly (readonly string[])[] {
  const found = command?.map(quoted).join(' ') ?? problem ?? '';
  const set = changes.map(({ keys, origin }) => `${keys.join(', ')} set by ${origin}`);
  return [[id, state.replace('_', ' '), found], ...set.map((line) => ['', '', line])];
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}

/** Aligns the cells of rows; a very long cell does not widen its column. */
function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = [0, 1].map((at) => Math.max(0, ...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(Math.min(widths[at] ?? 0, maxWidth))))
      .join('  ')
      .trimEnd(),
  );
}

const maxWidth = 40;
