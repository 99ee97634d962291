import { isatty } from 'node:tty';
import type { Log } from '../core/log.ts';
import { watchParent } from '../platform/processes/parent-exit.ts';

/** Why lspan ends, with the exit code that tells it. */
export const exitCodes = {
  client_gone: 0,
  parent_gone: 0,
  shutdown: 0,
  channel_failed: 1,
  usage: 2,
  failure: 70,
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
} as const;

export type ProcessEnd = keyof typeof exitCodes;

/** The end of the process, heard once. */
export interface ProcessLife {
  readonly ended: Promise<ProcessEnd>;
  /** Only the first ending counts. */
  readonly end: (ending: ProcessEnd) => void;
  /** Ends because of an error that nobody foresaw. */
  readonly fail: (error: unknown) => void;
}

/**
 * Hears what ends lspan. A second signal ends the process at once: somebody is in a hurry. What a user started, and not
 * a client, outlives who started it, and where it holds no terminal the end of that too.
 */
export function listenForEnd(log: Log, startedBy: 'client' | 'user' = 'client'): ProcessLife {
  let end: (ending: ProcessEnd) => void = () => {};
  const ended = new Promise<ProcessEnd>((resolve) => {
    end = resolve;
  });
  const fail = (error: unknown) => {
    log('error', 'process.failed', { error });
    end('failure');
  };
  process.on('uncaughtException', fail).on('unhandledRejection', fail);
  let signalled = false;
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of startedBy === 'client' ? (['SIGHUP', ...signals] as const) : signals) {
    process.on(signal, () => {
      if (signalled) process.exit(exitCodes[signal]);
      signalled = true;
      end(signal);
    });
  }
  if (startedBy === 'client') watchParent(() => end('parent_gone'));
  else outliveTerminal();
  return { ended, end, fail };
}

/**
 * `nohup` has the signal ignored and leaves no terminal; Node forgets the former. Where there is a terminal, the signal
 * ends the process by itself: Node aborts where it is to leave a terminal that has closed.
 */
function outliveTerminal(): void {
  if (![0, 1, 2].some((descriptor) => isatty(descriptor))) process.on('SIGHUP', () => {});
}
