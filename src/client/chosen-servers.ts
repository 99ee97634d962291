import path from 'node:path';
import type { ConfiguredServer } from '../config/config.ts';
import { defaultConfig } from '../config/default-config.ts';
import { extensionName } from '../config/servers/language-id.ts';
import { mergeDefinitions } from '../config/servers/merge-definition.ts';
import { serviceNames } from '../config/servers/question-names.ts';
import { nameOfProgram } from '../config/servers/single-definition.ts';
import { checkArguments, either, type Kind, kinds, listOf, oneOf } from '../core/check-arguments.ts';
import { LspanError } from '../core/errors.ts';
import { suggestName } from '../core/wording/nearest-name.ts';
import type { ServerDefinition } from '../servers/definition.ts';
import { servers as known } from '../servers/index.ts';
import type { GivenServer, ServerChoice } from './given-server.ts';

/** Returns the definitions of the servers that a program chose, and of the servers to which those relay questions. */
export function chosenServers(given: ServerChoice | readonly ServerChoice[]): readonly ServerDefinition[] {
  const chosen = (isList(given) ? given : [given]).map(readChoice);
  if (chosen.length === 0) throw wrong('No server is given.');
  const all = mergeDefinitions(known, { ...defaultConfig, servers: chosen });
  const wanted = new Set(chosen.map(({ id }) => id));
  for (const id of wanted)
    for (const { to } of all.find((one) => one.id === id)?.quirks?.relays ?? []) wanted.add(to);
  return all.filter(({ id }) => wanted.has(id)).map(early);
}

function isList(given: ServerChoice | readonly ServerChoice[]): given is readonly ServerChoice[] {
  return Array.isArray(given);
}

/** Validates at run time, since callers may not be type-checked. */
function readChoice(choice: ServerChoice): ConfiguredServer {
  if (typeof choice === 'string') return knownServer(choice);
  if (typeof choice !== 'object' || choice === null) throw wrong('A server is neither a name nor an object.');
  checkArguments('A server', choice, rows);
  const { command, extensions } = choice;
  const id = choice.id ?? nameOfProgram(command?.[0] ?? '');
  const isKnown = known.some((one) => one.id === id);
  if (!isKnown && (command === undefined || extensions === undefined)) throw incomplete(choice, id);
  const { ready, ...rest } = choice;
  return {
    ...rest,
    id,
    ...(extensions === undefined ? {} : { extensions: readExtensions(extensions) }),
    ...(ready === undefined ? {} : { ready: typeof ready === 'string' ? { kind: ready } : ready }),
  };
}

const services = Object.keys(serviceNames);

/** The allowed fields of a server; a misspelt one would otherwise be ignored. */
const rows: Readonly<Record<keyof GivenServer, Kind>> = {
  id: kinds.text,
  command: { is: isCommand, said: 'a list of strings that begins with the program' },
  args: kinds.texts,
  extensions: either(kinds.texts, { ...kinds.variables, said: 'an object from extensions to language ids' }),
  languageId: kinds.text,
  env: kinds.variables,
  initializationOptions: { is: () => true, said: 'anything' },
  settings: kinds.record,
  clientCapabilities: kinds.record,
  ready: either(oneOf(['immediate', 'unknown']), { is: isSignal, said: 'a signal with its kind' }),
  answers: listOf((value) => isService(value), `a list of these: ${services.join(', ')}`),
  initializeTimeout: kinds.milliseconds,
  timeouts: { is: isTimeouts, said: 'an object from questions to milliseconds' },
  confine: oneOf(['always', 'untrusted', 'never']),
  writableFolders: listOf(
    (value) => typeof value === 'string' && path.isAbsolute(value),
    'a list of absolute paths',
  ),
};

function isSignal(value: unknown): boolean {
  return kinds.record.is(value) && typeof Reflect.get(Object(value), 'kind') === 'string';
}

function isService(value: unknown): boolean {
  return services.some((service) => service === value);
}

function isTimeouts(value: unknown): boolean {
  if (!kinds.record.is(value)) return false;
  return Object.entries(Object(value)).every(
    ([name, time]) => isService(name) && kinds.milliseconds.is(time),
  );
}

function knownServer(id: string): ConfiguredServer {
  const ids = known.map((one) => one.id);
  if (ids.includes(id)) return { id };
  throw wrong(`lspan knows no server ${JSON.stringify(id)}. ${suggestName(id, ids)}`);
}

function isCommand(command: unknown): command is readonly string[] {
  return Array.isArray(command) && command.length > 0 && command.every((part) => typeof part === 'string');
}

function readExtensions(
  given: NonNullable<GivenServer['extensions']>,
): NonNullable<ConfiguredServer['extensions']> {
  const entries = Object.entries(given).map(([key, value]) =>
    Array.isArray(given) ? [value, ''] : [key, value],
  );
  const named = entries.map(([extension = '', language = '']) => {
    const name = extensionName(String(extension));
    if (name === undefined)
      throw wrong(`${JSON.stringify(extension)} is not a file extension: write it like ts.`);
    return [name, language] as const;
  });
  if (named.length === 0) throw wrong('A server has no file extensions.');
  return Array.isArray(given) ? named.map(([name]) => name) : Object.fromEntries(named);
}

function incomplete({ command }: GivenServer, id: string): LspanError {
  const missing = command === undefined ? 'command' : 'extensions';
  return wrong(`lspan knows no server ${JSON.stringify(id)}, and ${missing} is missing.`);
}

function wrong(message: string): LspanError {
  return new LspanError('invalid_input', message, {
    nextStep: 'Give as `server` the name of one that lspan knows, or an object with command and extensions.',
  });
}

function early(definition: ServerDefinition): ServerDefinition {
  return { ...definition, program: { ...definition.program, startsEarly: true } };
}
