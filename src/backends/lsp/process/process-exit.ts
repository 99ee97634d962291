import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { type ErrorCode, LspanError } from '../../../core/errors.ts';
import { hideHome } from '../../../platform/files/hide-home.ts';
import type { Daemon } from '../../../platform/processes/daemons.ts';

/** How a server's process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** True if the kernel ended it, or a child of it, at the bound of its memory. */
  readonly outOfMemory: boolean;
  /** On the clock of `performance.now()`. */
  readonly at: number;
  /** Lifetime in milliseconds. */
  readonly lived: number;
  readonly stderrTail: readonly string[];
  /** True if it never wrote to its stdout. */
  readonly silent: boolean;
  /** Processes that it had started outside of its group, and that were ended after it. */
  readonly daemons: readonly Daemon[];
}

/** Returns the signal behind an exit code, as shells and sandboxes report it; `undefined` if there is none. */
export function signalOfCode(code: number | null): NodeJS.Signals | undefined {
  if (code === null || code <= firstSignalCode) return undefined;
  const names = Object.entries(constants.signals).flatMap(([name, number]) =>
    number === code - firstSignalCode && isSignal(name) ? [name] : [],
  );
  return names[0];
}

const firstSignalCode = 0x80;

function isSignal(name: string): name is NodeJS.Signals {
  return name in constants.signals;
}

/** Describes an exit in a few words: `code 1`, `signal SIGSEGV`. */
export function describeExit(exit: Exit): string {
  return exit.signal ? `signal ${exit.signal}` : `code ${exit.code ?? 'unknown'}`;
}

/** The error of a call whose server ended without being stopped. */
export function exitFailure(server: string, exit: Exit): LspanError {
  const lastWords = tellingLine(exit.stderrTail);
  if (exit.outOfMemory) return boundExceeded(server);
  const said = lastWords ? ` Last output: ${hideHome(lastWords)}` : '';
  if (exit.silent && (exit.code === 126 || exit.code === 127)) {
    return new LspanError('not_installed', `${server} could not be started (${describeExit(exit)}).${said}`, {
      nextStep: `Run the command of ${server} in a terminal: a program or library that it needs is missing, or not for this system. Then install it again.`,
    });
  }
  return new LspanError(
    'server_crashed',
    `${server} exited unexpectedly with ${describeExit(exit)}.${said}`,
    {
      nextStep: 'Call again: lspan restarts the server. get_server_status shows its last output.',
    },
  );
}

function boundExceeded(server: string): LspanError {
  const message = `${server} and its child processes used more memory than they may, and the system ended them.`;
  return new LspanError('memory_limit', message, {
    retryable: true,
    nextStep: `Ask about less at once, or let the user raise memory_mb, under [limits] or for ${server}, in the user configuration.`,
  });
}

/** Prefers the line with the error: the last lines are often the end of a stack trace and a version. */
function tellingLine(lines: readonly string[]): string | undefined {
  const own = lines.filter((line) => !/^\s*(at\s|$)|^Node\.js v\d/.test(line));
  return (
    own.findLast((line) => /\b\w*(error|exception|panic\w*|fatal)\b/i.test(line)) ??
    own.at(-1) ??
    lines.at(-1)
  );
}

/** The error of a call when the system refused to start a server's program. */
export function startFailure(
  thrown: unknown,
  command: { readonly file: string; readonly cwd: string },
): LspanError {
  if (thrown instanceof LspanError) return thrown;
  const { code, why, nextStep } = existsSync(command.cwd)
    ? (refusals[errorCode(thrown)] ?? unforeseen)
    : noFolder;
  const program = path.basename(command.file);
  return new LspanError(code, `${program} could not be started: ${why}.`, { nextStep, cause: thrown });
}

interface Refusal {
  readonly code: ErrorCode;
  readonly why: string;
  readonly nextStep: string;
}

const crowded = (why: string): Refusal => ({
  code: 'busy',
  why,
  nextStep: 'Close other programs, or raise the limit (ulimit -u, ulimit -n), and call again.',
});

const broken = (why: string): Refusal => ({
  code: 'not_installed',
  why,
  nextStep: 'Install the server again, for this system, and call again.',
});

const unforeseen = broken('the system refused it');

const noFolder: Refusal = {
  code: 'not_found',
  why: 'the workspace folder no longer exists',
  nextStep: 'Restart lspan with a folder that exists.',
};

/** By the system's error code. */
const refusals: Readonly<Record<string, Refusal>> = {
  ENOENT: broken('it does not exist'),
  EACCES: broken('this user may not execute it or enter the workspace folder'),
  EPERM: broken('this user may not execute it'),
  ENOEXEC: broken('it is not a program for this system'),
  ETXTBSY: {
    ...crowded('its file is being written'),
    nextStep: 'Call again when its installation has finished.',
  },
  EAGAIN: crowded('the system allows no more processes'),
  EMFILE: crowded('lspan has too many files open'),
  ENFILE: crowded('the system has too many files open'),
  ENOMEM: crowded('the system has no memory left'),
  E2BIG: broken('its arguments and environment are too long'),
};

function errorCode(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
}
