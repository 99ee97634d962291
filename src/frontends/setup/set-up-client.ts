import { LspanError } from '../../core/errors.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import { shellWord } from '../../core/wording/shell-words.ts';
import { isYes, type Terminal } from '../cli/terminal.ts';
import type { AgentClient, ClientHooks } from './clients/client.ts';
import { type FilePlaces, type FileTask, fileTasks, rulesFileOf } from './file-task.ts';
import { hookFlags } from './hook-flags.ts';
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
  /** True to add hooks, false to take them out; added where there are some if absent. */
  readonly hooks: boolean | undefined;
  /** The flags of `lspan mcp` by which it works elsewhere; empty if it works here. */
  readonly via: readonly string[];
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
  const done: PreparedFile[] = [];
  const written = resultOrError(() => {
    for (const one of changed) {
      one.write();
      done.push(one);
    }
  });
  if (written instanceof LspanError) {
    // What is written stays: a second run does the rest.
    for (const one of done) await terminal.write(`${renderWritten(one)}\n`);
    return await refuse(client, written, terminal);
  }
  await terminal.write(renderDone(client, changed, options));
  return 'written';
}

function tasksOf(client: AgentClient, { places, own, rules, hooks = true, via, remove }: SetupOptions) {
  const launch = launchFor(client, places.scope, own, places.project);
  // A removal looks for rules and hooks too, which may have been written earlier.
  const { platform } = own;
  const options = { launch, via, rules: rules || remove, hooks: hooks || remove, platform };
  return { launch, tasks: resultOrError(() => fileTasks(client, places, options)) };
}

function prepare(tasks: readonly FileTask[], options: SetupOptions): readonly PreparedFile[] | LspanError {
  const { places, stateFolder, remove } = options;
  const within = places.scope === 'project' ? places.project : undefined;
  return resultOrError(() =>
    tasks.map((task) => {
      const one = remove || task.isGoing ? prepareRemoval : prepareAddition;
      return one(task, { stateFolder, within });
    }),
  );
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
  launch: Launch,
  options: SetupOptions,
): string {
  const links = changed
    .filter(({ read }) => read.isLink)
    .map(({ read }) => `${read.file} is a link: ${read.real} is written.`);
  const restored = changed.some(({ restores }) => restores)
    ? ['The entry that was there before lspan setup comes back; run it again to remove that too.']
    : [];
  const about = options.remove ? [] : aboutAddition(client, launch, options);
  const diffs = changed.map((one) => renderFileChange(one).trimEnd());
  return [`${client.title}:`, ...diffs, ...about, ...links, ...restored, ''].join('\n');
}

/** What the user should know before the client is set up. */
function aboutAddition(
  client: AgentClient,
  { command, args, why }: Launch,
  { rules, hooks, via, places }: SetupOptions,
): readonly string[] {
  const added = hooks === false ? undefined : client.hooks;
  const flags = added === undefined ? [] : hookFlags(added);
  const hasNoHooks = hooks === true && client.hooks === undefined;
  const hasRules = !rules || rulesFileOf(client, places) !== undefined;
  return [
    `It runs: ${[command, ...args, ...via.map(shellWord), ...flags].join(' ')} (${why})`,
    ...(added === undefined ? [] : aboutHooks(added)),
    ...(hasRules
      ? []
      : [`No file of instructions is known for the scope ${places.scope}. To paste:`, rulesText]),
    ...(hasNoHooks ? ['No hooks are known for it.'] : []),
  ];
}

function aboutHooks({ asks }: ClientHooks): readonly string[] {
  return [
    'Its hooks add to what the model sees, after an edit that broke something, what it broke; --no-hooks leaves them out.',
    ...(asks === 'daemon'
      ? [
          'They ask the daemon of lspan, hence --daemon: one process for all clients that use it (lspan status).',
        ]
      : []),
  ];
}

function renderDone(client: AgentClient, changed: readonly PreparedFile[], options: SetupOptions): string {
  const { remove, hooks = true } = options;
  const files = changed.map(renderWritten);
  const trust = hooks && client.hooks?.note ? [client.hooks.note] : [];
  const next = remove ? [] : [`To check: ${client.check}`, ...(client.notes ?? []), ...trust];
  return `${[...files, ...next].join('\n')}\n`;
}

function renderWritten({ read, after }: PreparedFile): string {
  return `${after === undefined ? 'Removed' : 'Wrote'} ${read.real}.`;
}
