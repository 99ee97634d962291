import { LspanError } from '../../../core/errors.ts';
import { resultOrError } from '../../../core/runtime/result.ts';
import { type RunningDaemon, runningDaemons } from '../../daemon/client/running-daemons.ts';
import type { CommandLine } from '../parse-command-line.ts';
import { print } from '../print.ts';
import type { ProcessContext } from '../read-settings.ts';

type StopCommand = Extract<CommandLine, { readonly kind: 'stop' }>;

/** Runs `lspan stop`: ends the daemons of the user, and waits until they have gone; returns the exit code. */
export async function runStop(
  { flags }: StopCommand,
  { environment }: ProcessContext,
  write: (text: string) => Promise<void> = print,
): Promise<number> {
  const running = await runningDaemons(environment);
  const said = await Promise.all(running.map((one) => (flags.force ? kill(one) : stop(one))));
  await write(said.length === 0 ? 'No daemon is running.\n' : said.join(''));
  return said.some((line) => line.startsWith(notStopped)) ? 1 : 0;
}

async function stop({ channel, pid }: RunningDaemon): Promise<string> {
  if (!channel) return `${notStopped} ${nameOf(pid)}: it does not answer. Use lspan stop --force.\n`;
  await channel.request('stop', {}).catch(() => {});
  await channel.closed;
  return `Stopped ${nameOf(pid)}.\n`;
}

async function kill({ channel, pid }: RunningDaemon): Promise<string> {
  const killed = pid === undefined ? undefined : resultOrError(() => process.kill(pid, 'SIGKILL'));
  if (killed === undefined || killed instanceof LspanError)
    return `${notStopped} ${nameOf(pid)}: its process is not known, or not yours.\n`;
  await channel?.closed;
  return `Ended ${nameOf(pid)}.\n`;
}

const notStopped = 'Could not stop';

function nameOf(pid: number | undefined): string {
  return pid === undefined ? 'the daemon' : `the daemon (process ${pid})`;
}
