import type { Doubt } from '../../../core/doubts.ts';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import { lspCodes, ResponseError } from '../../../jsonrpc/message.ts';
import { hideHome } from '../../../platform/files/hide-home.ts';

/** A refusable task, as an infinitive, and what an agent can do after a refusal. */
export interface Refusable {
  readonly what: string;
  readonly nextStep: string;
}

/** Turns a server's error into a refusal with the server's message, unless the error is transient. */
export function asRefusal(error: unknown, server: string, what: Refusable): unknown {
  if (!(error instanceof LspanError) || error.code !== 'server_unverified') return error;
  const said = error.cause;
  if (!(said instanceof ResponseError) || passing.has(said.code)) return error;
  return refused(server, what, said.message, error);
}

/** Refusal of a server that answers with nothing. What is doubted of its answers may be the reason, or may not. */
export function refusedSilently(server: string, what: Refusable, [doubt]: readonly Doubt[]): LspanError {
  return refused(
    server,
    what,
    doubt ? `it gives no reason, perhaps this one: ${doubt.detail}` : 'it gives no reason',
  );
}

function refused(server: string, { what, nextStep }: Refusable, why: string, cause?: LspanError): LspanError {
  return new LspanError('refused', `${server} refuses ${what}: ${inOneLine(why)}.`, {
    cause,
    nextStep,
  });
}

/** Shortens a server's message for the end of a sentence. */
export function inOneLine(said: string): string {
  const line = hideHome(said.replace(wrapping, '').replace(/\s+/g, ' ').trim());
  return (line.length > limits.trouble ? `${line.slice(0, limits.trouble)}…` : line).replace(/\.$/, '');
}

/** Prefix that a library used by many servers adds to every error message. */
const wrapping = /^Request \S+ failed with message: /;

const passing: ReadonlySet<number> = new Set([
  lspCodes.requestCancelled,
  lspCodes.contentModified,
  lspCodes.serverCancelled,
]);
