import { LspanError } from '../../core/errors.ts';
import type { ServerDefinition } from '../../servers/definition.ts';
import type { Config } from '../config.ts';
import { changesOf, disablersOf } from '../effective-value.ts';
import { mergeDefinitions } from './merge-definition.ts';

/** A server as the configuration leaves it. Its values are left out: they may hold secrets. */
export interface ListedServer {
  readonly id: string;
  /** The extensions and names of the files that it serves. */
  readonly files: readonly string[];
  readonly state: 'installed' | 'not_installed' | 'disabled';
  /** The program as it was found, with its arguments. */
  readonly command?: readonly string[];
  /** Why it is not used. */
  readonly problem?: string;
  /** Who set what; none where it is as lspan ships it. */
  readonly changes: readonly { readonly keys: readonly string[]; readonly origin: string }[];
}

/** Where a definition's program is and which arguments come first, or why it is not there. */
export type FindProgram = (
  definition: ServerDefinition,
) => { readonly real: string; readonly args: readonly string[] } | LspanError;

/** What the configuration makes of every server, those that are switched off included. */
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
  // Where Node runs a script, the script is the program and not an argument.
  const before = found.args.filter((argument) => argument !== found.real);
  return { ...base, state: 'installed', command: [found.real, ...before, ...program.args] };
}

function disabled({ id, extensions }: ServerDefinition, config: Config): ListedServer {
  const problem = `switched off by ${disablersOf(id, config).join(', ')}`;
  return { id, files: Object.keys(extensions), state: 'disabled', problem, changes: changesOf(id, config) };
}
