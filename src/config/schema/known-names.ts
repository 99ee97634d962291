import { LspanError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { nearestName, suggestName } from '../../core/wording/nearest-name.ts';
import type { Config, ConfigSource } from '../config.ts';

/** The names that a configuration may use. */
export interface KnownNames {
  readonly servers: readonly string[];
  readonly tools: readonly string[];
}

/** A configuration whose names are known, with warnings about those that may be wrong. Throws `invalid_input`. */
export function withKnownNames(config: Config, known: KnownNames, log: Log): Config {
  checkNames(config, known);
  const unknown = unknownDisabled(config, known.servers);
  for (const warning of unknown) log('warn', 'config_ignored', { warning });
  return { ...config, warnings: [...config.warnings, ...unknown] };
}

/** A warning for each source that switches off servers which nobody knows. */
function unknownDisabled(config: Config, builtIn: readonly string[]): readonly string[] {
  const known = knownIds(config, builtIn);
  return config.sources.flatMap((source) => {
    const { disabled_servers: disabled } = source.keys;
    const ids = Array.isArray(disabled) ? disabled.map(String) : [];
    return warnings(source, [...new Set(ids.filter((id) => !known.includes(id)))], known);
  });
}

/** Refuses a rule for files that names a server which nobody knows, and a deadline for such a tool. */
function checkNames(config: Config, builtIn: KnownNames): void {
  const known = knownIds(config, builtIn.servers);
  for (const { glob, servers } of config.files) {
    const wrong = servers.find((id) => !known.includes(id));
    if (wrong !== undefined)
      throw refusal(config, `files: ${JSON.stringify(glob)} names the server ${wrong}`, wrong, known);
  }
  const tool = Object.keys(config.deadlines).find((name) => !builtIn.tools.includes(name));
  if (tool !== undefined) throw refusal(config, `deadlines_s: there is no tool ${tool}`, tool, builtIn.tools);
}

function knownIds(config: Config, builtIn: readonly string[]): readonly string[] {
  return [...new Set([...builtIn, ...config.servers.map(({ id }) => id)])];
}

/** The words of a repository's file stay out of warnings, which an agent may read: there the ids are counted. */
function warnings(
  { kind, name }: ConfigSource,
  unknown: readonly string[],
  known: readonly string[],
): string[] {
  if (unknown.length === 0) return [];
  if (kind !== 'repository') {
    return unknown.map(
      (id) => `${name}: disabled_servers: lspan knows no server ${id}. ${suggestName(id, known)}`,
    );
  }
  const meant = new Set(unknown.flatMap((id) => nearestName(id, known) ?? []));
  const hint = meant.size === 0 ? '' : ` Did you mean ${[...meant].join(', ')}?`;
  return [`${name}: disabled_servers: servers that lspan does not know: ${unknown.length}.${hint}`];
}

function refusal(config: Config, what: string, wrong: string, known: readonly string[]): LspanError {
  const where = config.userFile === undefined ? 'The configuration' : `The configuration ${config.userFile}`;
  return new LspanError('invalid_input', `${where} cannot be used: ${what}. ${suggestName(wrong, known)}`, {
    nextStep: 'Correct the configuration file, then start lspan again.',
  });
}
