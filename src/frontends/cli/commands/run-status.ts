import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../../../core/limits.ts';
import { type RunningDaemon, runningDaemons, statusOf } from '../../daemon/client/running-daemons.ts';
import type { DaemonStatus, LastCall, WorkspaceStatus } from '../../daemon/messages.ts';
import { escapeControls } from '../../observe/log.ts';
import { interruption } from '../interruption.ts';
import type { CommandLine } from '../parse-command-line.ts';
import { print } from '../print.ts';
import type { ProcessContext } from '../read-settings.ts';
import { usageError } from '../usage-error.ts';

type StatusCommand = Extract<CommandLine, { readonly kind: 'status' }>;

/** Runs `lspan status`: shows the daemons of the user; returns the exit code. */
export async function runStatus(
  { flags }: StatusCommand,
  { environment }: ProcessContext,
  write: (text: string) => Promise<void> = print,
): Promise<number> {
  if (flags.watch && flags.json) throw usageError('Use --watch or --json, not both.', 'status');
  const show = async () => {
    const running = await runningDaemons(environment);
    const shown = await Promise.all(running.map(toShown));
    for (const { channel } of running) channel?.close();
    return flags.json ? `${JSON.stringify({ daemons: shown })}\n` : describe(shown, flags.watch);
  };
  if (!flags.watch) {
    await write(await show());
    return 0;
  }
  const interrupted = interruption(process);
  while (!interrupted.signal.aborted) {
    await write(`${process.stdout.isTTY ? clearScreen : ''}${await show()}`);
    await pause(limits.daemon.watch, undefined, { signal: interrupted.signal }).catch(() => {});
  }
  interrupted[Symbol.dispose]();
  return interrupted.exitCode() ?? 0;
}

const clearScreen = '\u001b[H\u001b[2J';

/** A daemon that does not answer has a number only. */
type Shown = DaemonStatus | { readonly pid: number | undefined; readonly answers: false };

async function toShown(running: RunningDaemon): Promise<Shown> {
  return (await statusOf(running)) ?? { pid: running.pid, answers: false };
}

const noDaemon = 'No daemon is running.';

/** For one look; a view that is repeated has no room for it. */
const aboutNone = ` One starts with the first call of a client with --daemon, or with daemon = true in your
configuration. For the servers of a folder: lspan call get_server_status`;

function describe(shown: readonly Shown[], isRepeated: boolean): string {
  if (shown.length === 0) return `${noDaemon}${isRepeated ? '' : aboutNone}\n`;
  const lines = shown.flatMap((one) =>
    'answers' in one ? [`Daemon (process ${one.pid ?? 'unknown'}) does not answer.`] : daemonLines(one),
  );
  return lines.map((line) => `${escapeControls(line)}\n`).join('');
}

function daemonLines(status: DaemonStatus): readonly string[] {
  const { pid, version, uptimeSeconds, memoryBytes, isLeaving, servers, clients, workspaces, lastCalls } =
    status;
  const head = `lspan ${version}, process ${pid}, up ${duration(uptimeSeconds)}, ${size(memoryBytes)}`;
  return [
    isLeaving ? `${head}, leaving` : head,
    `Language servers: ${servers.count}, ${size(servers.usedBytes)} of at most ${size(servers.mostBytes)}`,
    '',
    `Clients: ${clients.length}`,
    ...clients.map(
      ({ pid: client, command, roots, readOnly, calls }) =>
        `  ${command} (process ${client}${readOnly ? ', read-only' : ''}) in ${roots.join(', ')}${calls > 0 ? `: ${counted(calls, 'call')} in progress` : ''}`,
    ),
    `Workspaces: ${workspaces.length}`,
    ...workspaces.flatMap(workspaceLines),
    `Last calls: ${lastCalls.length}`,
    ...lastCalls.map(callLine),
  ];
}

function workspaceLines({ roots, calls, unusedSeconds, servers }: WorkspaceStatus): readonly string[] {
  const use =
    calls > 0 ? `${counted(calls, 'call')} in progress` : `last used ${duration(unusedSeconds)} ago`;
  return [
    `  ${roots.join(', ')}: ${use}`,
    ...servers.map(({ id, root, state, memoryBytes, uptimeSeconds = 0, doubts }) =>
      [
        `    ${id}: ${state}`,
        ...(memoryBytes === undefined ? [] : [size(memoryBytes)]),
        `up ${duration(uptimeSeconds)}`,
        ...(roots.includes(root) ? [] : [`in ${root}`]),
        ...(doubts.length === 0 ? [] : [`doubts: ${doubts.join(', ')}`]),
      ].join(', '),
    ),
  ];
}

function callLine({ at, tool, ms, doubts, error, client, roots }: LastCall): string {
  const end = error ?? (doubts.length === 0 ? 'complete' : `doubts: ${doubts.join(', ')}`);
  return `  ${at.slice(11, 19)} ${tool} ${Math.round(ms)} ms, ${end} (${client.command} ${client.pid}, ${roots.join(', ')})`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

function size(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}
