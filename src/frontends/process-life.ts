import { isatty } from 'node:tty';
import type { Log } from '../core/log.ts';
import { watchParent } from '../platform/processes/parent-exit.ts';

/** Exit codes by the reason why lspan ends. */
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

type ProcessEnd = keyof typeof exitCodes;

/** Reports the end of the process, once. */
export interface ProcessLife {
  readonly ended: Promise<ProcessEnd>;
  /** Only the first call has an effect. */
  readonly end: (ending: ProcessEnd) => void;
  /** Ends because of an unforeseen error. */
  readonly fail: (error: unknown) => void;
}

/**
 * Listens for everything that ends lspan. A second signal exits at once: the user is in a hurry. A process that a user
 * started, not a client, outlives its parent and, unless it has a terminal, also the end of the session (SIGHUP).
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
 * `nohup` ignores SIGHUP and leaves no terminal, but Node resets the handler, so ignore it again. With a terminal the
 * signal must end the process: Node aborts when it leaves a terminal that has closed.
 */
function outliveTerminal(): void {
  if (![0, 1, 2].some((descriptor) => isatty(descriptor))) process.on('SIGHUP', () => {});
}
