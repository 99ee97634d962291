import type { EventEmitter } from 'node:events';

/** Cancellation of a command by a signal. */
interface Interruption extends Disposable {
  /** Aborts on the first signal. */
  readonly signal: AbortSignal;
  /** Returns the exit code of the received signal; `undefined` before. */
  exitCode(): number | undefined;
}

const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/** Turns the first signal into an abort, so that everything closes; a second one ends the process at once. */
export function interruption(
  source: EventEmitter,
  exit: (code: number) => void = (code) => process.exit(code),
): Interruption {
  const controller = new AbortController();
  let code: number | undefined;
  const onSignal = (name: keyof typeof exitCodes) => {
    if (code !== undefined) return exit(exitCodes[name]);
    code = exitCodes[name];
    controller.abort();
  };
  for (const name of signals) source.on(name, onSignal);
  return {
    signal: controller.signal,
    exitCode: () => code,
    [Symbol.dispose]: () => {
      for (const name of signals) source.off(name, onSignal);
    },
  };
}
