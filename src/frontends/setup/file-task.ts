import { existsSync } from 'node:fs';
import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { isRecord, list } from '../../core/runtime/json.ts';
import type { AgentClient, Scope } from './clients/client.ts';
import { type Machine, placesOnSystem, resolvePlace } from './clients/place.ts';
import {
  addEntry,
  type EntryFormat,
  missingAround,
  removeEntry,
  type ServerEntry,
  valueOfKeys,
} from './formats/entry-format.ts';
import { jsonFormat } from './formats/json-format.ts';
import { addBlock, removeBlock } from './formats/marked-block.ts';
import type { TextChange } from './formats/text-change.ts';
import { tomlFormat } from './formats/toml-format.ts';
import { yamlFormat } from './formats/yaml-format.ts';
import type { Launch } from './launch.ts';
import { rulesText } from './rules-text.ts';

/** One file of a client that lspan changes: what is added to its text, and how that is taken out again. */
export interface FileTask {
  readonly what: 'entry' | 'rules';
  readonly file: string;
  readonly add: (text: string) => readonly TextChange[];
  /** `around` as the record of the file says. */
  readonly remove: (text: string, around: number) => readonly TextChange[];
  /** Returns how many objects around the entry are missing. */
  readonly around: (text: string) => number;
}

/** Where the files of a client are looked for. */
export interface FilePlaces {
  readonly scope: Scope;
  readonly machine: Machine;
  /** The root of the project, for its scope. */
  readonly project: string | undefined;
}

const formats: Readonly<Record<AgentClient['format'], EntryFormat>> = {
  json: jsonFormat,
  toml: tomlFormat,
  yaml: yamlFormat,
};

/** Lists the files of a client that set it up. A further kind of file is a further task here. */
export function fileTasks(
  client: AgentClient,
  places: FilePlaces,
  { launch, rules }: { readonly launch: Launch; readonly rules: boolean },
): readonly FileTask[] {
  const file = rules ? rulesFileOf(client, places) : undefined;
  const entry = entryTask(client, entryFileOf(client, places), launch);
  return file === undefined ? [entry] : [entry, rulesTask(client, file)];
}

function entryTask(client: AgentClient, file: string, launch: Launch): FileTask {
  const format = formats[client.format];
  return {
    what: 'entry',
    file,
    add: (text) => {
      const value = format.read(text);
      const keys = keysIn(value, client);
      return addEntry(format, text, keys, entryFor(client, launch, valueOfKeys(value, keys)));
    },
    remove: (text, around) => removeEntry(format, text, keysIn(format.read(text), client), around),
    around: (text) => {
      const value = format.read(text);
      return missingAround(value, keysIn(value, client));
    },
  };
}

function rulesTask({ rules }: AgentClient, file: string): FileTask {
  return {
    what: 'rules',
    file,
    add: (text) => addBlock(text, rulesText, rules?.head ?? ''),
    remove: removeBlock,
    around: () => 0,
  };
}

/** Returns the file that has the entry of a client: the one that exists, else the first. */
export function entryFileOf(client: AgentClient, { scope, machine, project }: FilePlaces): string {
  const own =
    scope === 'user' ? placesOnSystem(client.user, machine).map((place) => resolvePlace(place, machine)) : [];
  const files =
    project !== undefined && scope === 'project'
      ? (client.project ?? []).map((one) => path.join(project, one))
      : own;
  const file = files.find((one) => existsSync(one)) ?? files[0];
  if (file !== undefined) return file;
  const other = scope === 'project' ? 'user' : 'project';
  throw new LspanError(
    'refused',
    `${client.title} has no file for the scope ${scope}. Use --scope ${other}.`,
    {
      nextStep: `Use --scope ${other}.`,
    },
  );
}

/** Returns the file that has the instructions of a client; `undefined` if none is known for the scope. */
export function rulesFileOf(
  { rules }: AgentClient,
  { scope, machine, project }: FilePlaces,
): string | undefined {
  if (scope === 'user') return rules?.user && resolvePlace(rules.user, machine);
  return rules?.project === undefined || project === undefined
    ? undefined
    : path.join(project, rules.project);
}

/** Returns the keys that lead to the entry of lspan in a file. */
function keysIn(value: unknown, { key, innerKey }: AgentClient): readonly string[] {
  const inner = innerKey === undefined ? undefined : valueOfKeys(value, [key, innerKey]);
  const isServer = isRecord(inner) && ['type', 'command', 'url'].some((name) => Object.hasOwn(inner, name));
  return innerKey !== undefined && isRecord(inner) && !isServer ? [key, innerKey, 'lspan'] : [key, 'lspan'];
}

/** Returns the entry for a client. Flags that the user has added to the arguments are kept. */
function entryFor({ shape }: AgentClient, { command, args }: Launch, there: unknown): ServerEntry {
  refuseRemote(there);
  const before = [valueOfKeys(there, [shape.program]), valueOfKeys(there, ['args'])].flatMap(list);
  const at = before.indexOf('mcp');
  const flags = at === -1 ? [] : before.slice(at + 1).flatMap((one) => (typeof one === 'string' ? one : []));
  const all = [...args, ...flags];
  const program = shape.isOneList ? { command: [command, ...all] } : { [shape.program]: command, args: all };
  return { own: { ...shape.own, ...program }, initial: shape.initial ?? {} };
}

/** An entry that connects to an address was made for a reason. */
function refuseRemote(there: unknown): void {
  const key = ['url', 'httpUrl', 'serverUrl', 'uri'].find((name) => valueOfKeys(there, [name]) !== undefined);
  if (key === undefined) return;
  const why = `there is an entry lspan that connects to an address (${key}). Remove it, with --remove, and run this again.`;
  throw new LspanError('refused', why, { nextStep: 'Remove that entry, and run this again.' });
}
