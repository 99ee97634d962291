import type { EventEmitter } from 'node:events';

/** A process that someone asks to end. */
export interface Interruption extends Disposable {
  /** Aborts at the first signal. */
  readonly signal: AbortSignal;
  /** The exit code that the signal asks for; none while no signal has come. */
  exitCode(): number | undefined;
}

const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/** Turns the first signal into an abort, so that everything closes; a second one ends the process where it is. */
export function interruption(
  source: EventEmitter,
  exit: (code: number) => void = (code) => process.exit(code),
): Interruption {
  const ending = new AbortController();
  let code: number | undefined;
  const onSignal = (name: keyof typeof exitCodes) => {
    if (code !== undefined) return exit(exitCodes[name]);
    code = exitCodes[name];
    ending.abort();
  };
  for (const name of signals) source.on(name, onSignal);
  return {
    signal: ending.signal,
    exitCode: () => code,
    [Symbol.dispose]: () => {
      for (const name of signals) source.off(name, onSignal);
    },
  };
}
