import type { Log } from '../../core/log.ts';
import { watchParent } from '../../platform/parent-death.ts';

/** Why lspan ends, with the exit code that tells it. */
export const exitCodes = {
  client_gone: 0,
  parent_gone: 0,
  usage: 2,
  failure: 70,
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
} as const;

export type Ending = keyof typeof exitCodes;

/** The end of the process, heard once. */
export interface EndOfLife {
  readonly ended: Promise<Ending>;
  /** Only the first ending counts. */
  readonly end: (ending: Ending) => void;
  /** Ends because of an error that nobody foresaw. */
  readonly fail: (error: unknown) => void;
}

/** Hears what ends lspan. A second signal ends the process at once: somebody is in a hurry. */
export function listenForEnd(log: Log): EndOfLife {
  let end: (ending: Ending) => void = () => {};
  const ended = new Promise<Ending>((resolve) => {
    end = resolve;
  });
  const fail = (error: unknown) => {
    log('error', 'process.failed', { error: error instanceof Error ? error.stack : String(error) });
    end('failure');
  };
  process.on('uncaughtException', fail).on('unhandledRejection', fail);
  let signalled = false;
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (signalled) process.exit(exitCodes[signal]);
      signalled = true;
      end(signal);
    });
  }
  watchParent(() => end('parent_gone'));
  return { ended, end, fail };
}
