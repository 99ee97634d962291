import { LspanError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { nearestName, suggestName } from '../../core/wording/nearest-name.ts';
import type { Config, ConfigSource } from '../config.ts';

/** Names of servers and tools that a configuration may use. */
interface KnownNames {
  readonly servers: readonly string[];
  readonly tools: readonly string[];
}

/** Checks the names in a configuration and adds warnings about unknown disabled servers. Throws `invalid_input`. */
export function withKnownNames(config: Config, known: KnownNames, log: Log): Config {
  checkNames(config, known);
  const unknown = unknownDisabled(config, known.servers);
  for (const warning of unknown) log('warn', 'config_ignored', { warning });
  return { ...config, warnings: [...config.warnings, ...unknown] };
}

function unknownDisabled(config: Config, builtIn: readonly string[]): readonly string[] {
  const known = knownIds(config, builtIn);
  return config.sources.flatMap((source) => {
    const { disabled_servers: disabled } = source.keys;
    const ids = Array.isArray(disabled) ? disabled.map(String) : [];
    return warnings(source, [...new Set(ids.filter((id) => !known.includes(id)))], known);
  });
}

/** Throws for a file rule with an unknown server and for the deadline of an unknown tool. */
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

/** Never quotes a repository's file, because an agent may read the warning: unknown ids are only counted. */
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
