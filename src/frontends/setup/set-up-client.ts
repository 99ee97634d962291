import { LspanError } from '../../core/errors.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import { isYes, type Terminal } from '../cli/terminal.ts';
import type { AgentClient } from './clients/client.ts';
import { type FilePlaces, type FileTask, fileTasks, rulesFileOf } from './file-task.ts';
import { type Launch, launchFor, type OwnProcess } from './launch.ts';
import { type PreparedFile, prepareAddition, prepareRemoval } from './prepare-file.ts';
import { renderFileChange } from './render-change.ts';
import { rulesText } from './rules-text.ts';

/** What is done with each client, and how the user is asked. */
export interface SetupOptions {
  readonly places: FilePlaces;
  readonly stateFolder: string;
  readonly own: OwnProcess;
  readonly rules: boolean;
  readonly remove: boolean;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly terminal: Terminal;
}

/** How it went with one client; `unasked` if there was no terminal to ask on. */
export type SetupOutcome = 'same' | 'shown' | 'written' | 'declined' | 'unasked' | 'refused';

/** Sets one client up, or takes that back: shows the change, asks, and writes it. */
export async function setUpClient(client: AgentClient, options: SetupOptions): Promise<SetupOutcome> {
  const { terminal, dryRun } = options;
  const { launch, tasks } = tasksOf(client, options);
  if (tasks instanceof LspanError) return await refuse(client, tasks, terminal);
  const prepared = prepare(tasks, options);
  if (prepared instanceof LspanError) return await refuse(client, prepared, terminal);
  const changed = prepared.filter(({ changes }) => changes.length > 0);
  if (changed.length === 0) {
    const state = options.remove ? 'not set up, nothing to remove' : 'already set up';
    const files = prepared.filter(({ read }) => read.bytes !== undefined).map(({ task }) => task.file);
    await terminal.write(`${client.title}: ${state}${files.length === 0 ? '' : ` (${files.join(', ')})`}.\n`);
    return 'same';
  }
  await terminal.write(renderOffer(client, changed, launch, options));
  if (dryRun) return 'shown';
  if (!options.yes && terminal.ask === undefined) return 'unasked';
  const question = options.remove ? 'Remove it? [y/N] ' : 'Write it? [y/N] ';
  if (!options.yes && !isYes((await terminal.ask?.(question)) ?? '')) {
    await terminal.write(`${client.title}: left as it is.\n`);
    return 'declined';
  }
  const written = resultOrError(() => {
    for (const { write } of changed) write();
  });
  if (written instanceof LspanError) return await refuse(client, written, terminal);
  await terminal.write(renderDone(client, changed, options));
  return 'written';
}

function tasksOf(client: AgentClient, { places, own, rules, remove }: SetupOptions) {
  const launch = launchFor(client, places.scope, own, places.project);
  // A removal looks for the rules too, which may have been written earlier.
  return {
    launch,
    tasks: resultOrError(() => fileTasks(client, places, { launch, rules: rules || remove })),
  };
}

function prepare(tasks: readonly FileTask[], options: SetupOptions): readonly PreparedFile[] | LspanError {
  const { places, stateFolder, remove } = options;
  const within = places.scope === 'project' ? places.project : undefined;
  const one = remove ? prepareRemoval : prepareAddition;
  return resultOrError(() => tasks.map((task) => one(task, { stateFolder, within })));
}

/** Anything unforeseen is not a matter of this client. */
async function refuse({ title }: AgentClient, error: LspanError, { write }: Terminal): Promise<'refused'> {
  if (error.code === 'internal') throw error;
  await write(`${title}: ${error.message}\n`);
  return 'refused';
}

function renderOffer(
  client: AgentClient,
  changed: readonly PreparedFile[],
  { command, args, why }: Launch,
  { remove, rules, places }: SetupOptions,
): string {
  const runs = remove ? [] : [`It runs: ${[command, ...args].join(' ')} (${why})`];
  const links = changed
    .filter(({ read }) => read.isLink)
    .map(({ read }) => `${read.file} is a link: ${read.real} is written.`);
  const hasRules = remove || !rules || rulesFileOf(client, places) !== undefined;
  const missing = hasRules
    ? []
    : [`No file of instructions is known for the scope ${places.scope}. To paste:`, rulesText];
  const restored = changed.some(({ restores }) => restores)
    ? ['The entry that was there before lspan setup comes back; run it again to remove that too.']
    : [];
  const diffs = changed.map(renderFileChange);
  return [
    `${client.title}:`,
    ...diffs.map((diff) => diff.trimEnd()),
    ...runs,
    ...links,
    ...restored,
    ...missing,
    '',
  ].join('\n');
}

function renderDone(client: AgentClient, changed: readonly PreparedFile[], { remove }: SetupOptions): string {
  const files = changed.map(
    ({ read, after }) => `${after === undefined ? 'Removed' : 'Wrote'} ${read.real}.`,
  );
  const next = remove ? [] : [`To check: ${client.check}`, ...(client.notes ?? [])];
  return `${[...files, ...next].join('\n')}\n`;
}
