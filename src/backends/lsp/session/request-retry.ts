import { type Call, cancelSignalOf } from '../../../core/call.ts';
import { type ErrorCode, LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import { lspCodes, ResponseError, rpcCodes } from '../../../jsonrpc/message.ts';
import { inOneLine } from '../errors/refusals.ts';
import { reportsTrouble } from '../errors/server-errors.ts';
import type { Session } from './session.ts';

/** Sends a request, retries it if the server interrupted it, and words its refusal for the agent. */
export async function requestWithRetry(
  session: Session,
  method: string,
  params: unknown,
  call: Call,
  /** Returns whether to retry after a transient error. */
  isPassing: (error: ResponseError) => boolean = () => true,
): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await session.request(method, params, cancelSignalOf(call));
    } catch (error) {
      if (!(error instanceof ResponseError)) throw error;
      const interruption = interruptions.get(error.code);
      if (!interruption || !isPassing(error)) throw refusal(session, method, error);
      if (attempt === limits.requestAttempts) throw brokenOff(session, interruption, error);
      await session.nextEvent(limits.emptyAnswer.wait * attempt, cancelSignalOf(call));
      await session.ready(call);
    }
  }
}

interface Interruption {
  readonly code: ErrorCode;
  /** Completes a sentence whose subject is the server. */
  readonly what: string;
  readonly nextStep: string;
}

/** Transient errors, which are not about the question, and how to report them if they persist. */
const interruptions: ReadonlyMap<number, Interruption> = new Map([
  [
    lspCodes.contentModified,
    {
      code: 'stale',
      what: 'stopped because files kept changing',
      nextStep: 'Call again when files stop changing.',
    },
  ],
  [
    lspCodes.serverCancelled,
    { code: 'server_unverified', what: 'cancelled the request', nextStep: 'Call again.' },
  ],
  [
    lspCodes.requestCancelled,
    {
      code: 'server_unverified',
      what: 'reported a cancellation that lspan did not send',
      nextStep: 'Call again.',
    },
  ],
]);

function brokenOff(
  { definition: { id } }: Session,
  { code, what, nextStep }: Interruption,
  cause: ResponseError,
): LspanError {
  const message = `${id} was asked ${limits.requestAttempts} times and ${what} each time.`;
  return new LspanError(code, message, { cause, nextStep });
}

function refusal(session: Session, method: string, error: ResponseError): LspanError {
  const { definition, readiness } = session;
  const { id } = definition;
  if (error.code === rpcCodes.methodNotFound) {
    return new LspanError('not_supported', `${id} does not support this.`, { cause: error });
  }
  const said = inOneLine(error.message);
  // What the error says is not repeated; it would differ if the server reported it only later.
  const words = readiness.trouble ?? '';
  const trouble = said.includes(inOneLine(words)) ? '' : reportsTrouble(definition, words).detail;
  const message = `${id} answered ${method} with error ${error.code}${said && `: ${said}`}.`;
  return new LspanError('server_unverified', trouble ? `${message} ${trouble}` : message, {
    cause: error,
    nextStep: trouble
      ? 'Fix what it reports, then call again.'
      : 'get_server_status shows what the server reported.',
  });
}
