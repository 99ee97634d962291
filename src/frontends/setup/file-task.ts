import { existsSync } from 'node:fs';
import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { isRecord, list } from '../../core/runtime/json.ts';
import type { AgentClient, HookContent, Scope } from './clients/client.ts';
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
import { addHooks, removeHooks } from './formats/json-hooks.ts';
import { addBlock, removeBlock } from './formats/marked-block.ts';
import { emptyOwnFile, fillOwnFile } from './formats/own-file.ts';
import { applyChanges, type TextChange } from './formats/text-change.ts';
import { tomlFormat } from './formats/toml-format.ts';
import { yamlFormat } from './formats/yaml-format.ts';
import { flagsFor, viaFlags } from './hook-flags.ts';
import type { Launch } from './launch.ts';
import { rulesText } from './rules-text.ts';

/** One file of a client that lspan changes: what is added to its text, and how that is taken out again. */
export interface FileTask {
  readonly what: 'entry' | 'rules' | 'hooks';
  readonly file: string;
  readonly add: (text: string) => readonly TextChange[];
  /** `around` as the record of the file says. */
  readonly remove: (text: string, around: number) => readonly TextChange[];
  /** Returns how many objects around the entry are missing. */
  readonly around: (text: string) => number;
  /** True if nothing but lspan writes the file, so that it goes if nothing is left in it. */
  readonly isOwnFile?: boolean;
  /** True if it is taken out although others are added. */
  readonly isGoing?: boolean;
}

/** What is written for a client. */
export interface TaskOptions {
  readonly launch: Launch;
  /** The flags of `lspan mcp` by which it works elsewhere; those that are there stay if it is empty. */
  readonly via?: readonly string[];
  readonly rules: boolean;
  /** True to add hooks, false to take them out; what is there stays if absent. */
  readonly hooks: boolean | undefined;
  readonly platform: NodeJS.Platform;
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

/** Lists the files of a client that set it up, each once. A further kind of file is a further task here. */
export function fileTasks(
  client: AgentClient,
  places: FilePlaces,
  options: TaskOptions,
): readonly FileTask[] {
  const rules = options.rules ? rulesFileOf(client, places) : undefined;
  const entry = entryTask(client, entryFileOf(client, places), options);
  const hooks = options.hooks === undefined ? undefined : hooksTask(client, places, options);
  return [
    ...(hooks === undefined ? [entry] : hooks.file === entry.file ? [joined(entry, hooks)] : [entry, hooks]),
    ...(rules === undefined ? [] : [rulesTask(client, rules)]),
  ];
}

function entryTask(client: AgentClient, file: string, options: TaskOptions): FileTask {
  const format = formats[client.format];
  return {
    what: 'entry',
    file,
    add: (text) => {
      const value = format.read(text);
      const keys = keysIn(value, client);
      return addEntry(format, text, keys, entryFor(client, options, valueOfKeys(value, keys)));
    },
    remove: (text, around) => removeEntry(format, text, keysIn(format.read(text), client), around),
    around: (text) => {
      const value = format.read(text);
      return missingAround(value, keysIn(value, client));
    },
  };
}

/** Returns the task for the hooks of a client; `undefined` if it has none. */
export function hooksTask(
  client: AgentClient,
  places: FilePlaces,
  { launch, hooks, platform }: Omit<TaskOptions, 'rules'>,
): FileTask | undefined {
  const file = hooksFileOf(client, places);
  if (client.hooks === undefined || file === undefined) return undefined;
  const words = [launch.command, ...launch.args.slice(0, -1), 'hook', client.id];
  const { add, remove } = hookChanges(client.hooks.content, words, platform);
  const isOwnFile = client.hooks.content.kind === 'file';
  const isGoing = hooks === false;
  return { what: 'hooks', file, add: isGoing ? remove : add, remove, around: () => 0, isOwnFile, isGoing };
}

function hookChanges(content: HookContent, words: readonly string[], platform: NodeJS.Platform) {
  if (content.kind === 'file') {
    const { text: make, mark } = content;
    return {
      add: (text: string) => fillOwnFile(text, make(words), mark),
      remove: (text: string) => emptyOwnFile(text, mark),
    };
  }
  const entries = content.entries(words, platform);
  return {
    add: (text: string) => addHooks(text, entries),
    remove: (text: string) => removeHooks(text, entries),
  };
}

/** A file is read and written once, so two tasks for it become one. */
function joined(entry: FileTask, hooks: FileTask): FileTask {
  const after = (text: string, changes: readonly TextChange[], next: FileTask['add']) => [
    ...changes,
    ...next(applyChanges(text, changes)),
  ];
  return {
    ...entry,
    add: (text) => after(text, entry.add(text), hooks.add),
    remove: (text, around) => after(text, hooks.remove(text, 0), (between) => entry.remove(between, around)),
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

/** Returns the file that has the hooks of a client; `undefined` if it has none for the scope. */
export function hooksFileOf(
  { hooks }: AgentClient,
  { scope, machine, project }: FilePlaces,
): string | undefined {
  if (hooks === undefined) return undefined;
  if (scope === 'user') return resolvePlace(hooks.user, machine);
  return project === undefined ? undefined : path.join(project, hooks.project);
}

/** Returns the keys that lead to the entry of lspan in a file. */
function keysIn(value: unknown, { key, innerKey }: AgentClient): readonly string[] {
  const inner = innerKey === undefined ? undefined : valueOfKeys(value, [key, innerKey]);
  const isServer = isRecord(inner) && ['type', 'command', 'url'].some((name) => Object.hasOwn(inner, name));
  return innerKey !== undefined && isRecord(inner) && !isServer ? [key, innerKey, 'lspan'] : [key, 'lspan'];
}

/** Returns the entry for a client. Flags that the user has added to the arguments are kept. */
function entryFor(
  { shape, hooks }: AgentClient,
  { launch, via = [], hooks: wanted }: TaskOptions,
  there: unknown,
): ServerEntry {
  refuseRemote(there);
  const { command, args } = launch;
  const before = wordsIn(there, shape);
  const at = before.indexOf('mcp');
  const flags = viaFlags(via, at === -1 ? [] : before.slice(at + 1));
  const own = hooks === undefined || wanted === undefined ? flags : flagsFor(hooks, wanted, flags);
  const all = [...args, ...own];
  const program = shape.isOneList ? { command: [command, ...all] } : { [shape.program]: command, args: all };
  return { own: { ...shape.own, ...program }, initial: shape.initial ?? {} };
}

/** Returns the entry of lspan in the text of a client's file; `undefined` if there is none. */
export function entryIn(client: AgentClient, text: string): unknown {
  const value = formats[client.format].read(text);
  return valueOfKeys(value, keysIn(value, client));
}

/** Returns the words that an entry runs. */
export function wordsIn(entry: unknown, { program }: AgentClient['shape']): readonly string[] {
  const words = [valueOfKeys(entry, [program]), valueOfKeys(entry, ['args'])];
  return words
    .flatMap((one) => (typeof one === 'string' ? [one] : list(one)))
    .flatMap((one) => (typeof one === 'string' ? one : []));
}

/** An entry that connects to an address was made for a reason. */
function refuseRemote(there: unknown): void {
  const key = ['url', 'httpUrl', 'serverUrl', 'uri'].find((name) => valueOfKeys(there, [name]) !== undefined);
  if (key === undefined) return;
  const why = `there is an entry lspan that connects to an address (${key}). Remove it, with --remove, and run this again.`;
  throw new LspanError('refused', why, { nextStep: 'Remove that entry, and run this again.' });
}
