import { LspanError } from '../../core/errors.ts';
import type { ServerDefinition } from '../../servers/definition.ts';
import type { Config } from '../config.ts';
import { changesOf, disablersOf } from '../effective-value.ts';
import { mergeDefinitions } from './merge-definition.ts';

/** A server as configured. The configured values are left out: they may contain secrets. */
export interface ListedServer {
  readonly id: string;
  /** Extensions and names of the files that it serves. */
  readonly files: readonly string[];
  readonly state: 'installed' | 'not_installed' | 'disabled';
  /** The resolved program with its arguments. */
  readonly command?: readonly string[];
  readonly problem?: string;
  /** The keys that were set, by source; empty for an unchanged built-in server. */
  readonly changes: readonly { readonly keys: readonly string[]; readonly origin: string }[];
}

/** Finds a definition's program and its leading arguments, or says why it is missing. */
type FindProgram = (
  definition: ServerDefinition,
) => { readonly real: string; readonly args: readonly string[] } | LspanError;

/** Lists every server as configured, including disabled ones. */
export function listServers(
  builtIn: readonly ServerDefinition[],
  config: Config,
  find: FindProgram,
): readonly ListedServer[] {
  const merged = mergeDefinitions(builtIn, config);
  const off = builtIn.filter(({ id }) => !merged.some((definition) => definition.id === id));
  const views = [
    ...merged.map((definition) => view(definition, config, find)),
    ...off.map((definition) => disabled(definition, config)),
  ];
  return views.sort((a, b) => (a.id < b.id ? -1 : 1));
}

function view(definition: ServerDefinition, config: Config, find: FindProgram): ListedServer {
  const { id, extensions, program } = definition;
  const found = find(definition);
  const base = { id, files: Object.keys(extensions), changes: changesOf(id, config) };
  if (found instanceof LspanError) return { ...base, state: 'not_installed', problem: found.message };
  // If Node runs a script, show the script as the program, not as an argument.
  const before = found.args.filter((argument) => argument !== found.real);
  return { ...base, state: 'installed', command: [found.real, ...before, ...program.args] };
}

function disabled({ id, extensions }: ServerDefinition, config: Config): ListedServer {
  const problem = `switched off by ${disablersOf(id, config).join(', ')}`;
  return { id, files: Object.keys(extensions), state: 'disabled', problem, changes: changesOf(id, config) };
}
