import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import { buildOf } from '../../platform/files/identity-files.ts';
import { type ClientState, clientStates } from '../setup/client-state.ts';
import type { AgentClient } from '../setup/clients/client.ts';
import { clients } from '../setup/clients/clients.ts';
import { isFile, programFile, traceOf } from '../setup/clients/find-clients.ts';
import type { Machine } from '../setup/clients/place.ts';
import type { OwnProcess } from '../setup/launch.ts';
import { judgeClients } from './judge-clients.ts';
import type { ExaminedClient, Finding } from './report.ts';

/** Where clients are looked for, and what they should start. */
export interface ClientExamination {
  readonly machine: Machine;
  readonly own: OwnProcess;
  /** The root of the workspace. */
  readonly project: string | undefined;
}

/** Looks at the agents of this machine: which are set up for lspan, and what their files start. Runs none of them. */
export function examineClients(options: ClientExamination): {
  readonly clients: readonly ExaminedClient[];
  readonly findings: readonly Finding[];
} {
  const seen = clients.map((client) => ({
    client,
    trace: traceOf(client, options.machine),
    states: clientStates(client, options, options.own),
  }));
  // Several clients read the same file of a project: one that is not here has not been set up by it.
  const traced = seen.filter(({ trace }) => trace !== undefined);
  const known = new Set(traced.flatMap(({ states }) => states.map(({ file }) => file)));
  const examined = seen.flatMap(({ client, trace, states }) => {
    const own = states.filter(({ file }) => trace !== undefined || !known.has(file));
    return toExamined(client, trace, own, options);
  });
  return { clients: examined, findings: judgeClients(examined) };
}

function toExamined(
  client: AgentClient,
  trace: string | undefined,
  states: readonly ClientState[],
  options: ClientExamination,
): readonly ExaminedClient[] {
  const base = { id: client.id, title: client.title, ...(trace === undefined ? {} : { found: trace }) };
  const told = states.filter(
    ({ words, fault, hooks }) => words !== undefined || fault !== undefined || hooks !== undefined,
  );
  if (told.length === 0) return trace === undefined ? [] : [{ ...base, set_up: false }];
  return told.map(({ scope, file, fault, words, hooks }) => ({
    ...base,
    set_up: words !== undefined,
    scope,
    file,
    ...(fault === undefined ? {} : { fault: fault.message }),
    ...(words === undefined ? {} : { command: words, starts: startedBy(words, options) }),
    ...(client.hooks === undefined ? {} : { hooks: hooks !== undefined, hooks_ask: client.hooks.asks }),
    ...(hooks === undefined ? {} : { hooks_file: hooks }),
  }));
}

/** Finds out what the words of an entry start, without starting it. */
function startedBy(
  words: readonly string[],
  examination: ClientExamination,
): NonNullable<ExaminedClient['starts']> {
  const { own } = examination;
  const [command, ...args] = words;
  if (command === undefined) return 'an_address';
  if (/^(npx|bunx|pnpm|yarn)(\.cmd)?$/.test(command)) return 'a_package';
  const program = fileOf(command, examination);
  const script = /^node(\.exe)?$/.test(path.basename(command))
    ? args.find((word) => !word.startsWith('-'))
    : program;
  if (program === undefined || script === undefined || !existsSync(script)) return 'nothing';
  const real = realpathSync(script);
  if (real === own.script) return 'this';
  const [there, here] = [real, own.script].map((file) => resultOrError(() => buildOf(file)));
  if (there === undefined || there instanceof LspanError) return 'unknown';
  return !(here instanceof LspanError) && here?.id === there.id ? 'same_build' : 'other_build';
}

/** Returns the file of a program: a path, or a name on the PATH; `undefined` if there is none. */
function fileOf(command: string, { machine, project = path.sep }: ClientExamination): string | undefined {
  if (!/[/\\]/.test(command)) return programFile(command, machine);
  const file = path.resolve(project, command);
  return isFile(file) ? file : undefined;
}
