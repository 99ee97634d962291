import type { Doubt } from '../../core/doubts.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { ResponseError, responseCodes } from './message.ts';

/** Turns the error of a server into its refusal, in its own words, where it is no failure of the server. */
export function asRefusal(error: unknown, server: string, what: string): unknown {
  if (!(error instanceof LspanError) || error.code !== 'server_unverified') return error;
  const said = error.cause;
  if (!(said instanceof ResponseError) || failures.has(said.code)) return error;
  return refused(server, what, said.message, error);
}

/** What is told where a server has nothing to do what it was asked. */
export function refusedSilently(server: string, what: string, [doubt]: readonly Doubt[]): LspanError {
  return refused(server, what, doubt?.detail ?? 'it names no reason');
}

function refused(server: string, what: string, why: string, cause?: LspanError): LspanError {
  const line = why.replace(/\s+/g, ' ').trim();
  const shown = line.length > limits.trouble ? `${line.slice(0, limits.trouble)}…` : line;
  return new LspanError('refused', `${server} refuses ${what}: ${shown.replace(/\.$/, '')}.`, {
    cause,
    nextStep: 'Point at the declaration of a symbol of this workspace, and give a name that is free there.',
  });
}

/** About the moment or the server itself, and not about what it was asked. */
const failures: ReadonlySet<number> = new Set([
  responseCodes.internalError,
  responseCodes.requestCancelled,
  responseCodes.contentModified,
  responseCodes.serverCancelled,
]);
