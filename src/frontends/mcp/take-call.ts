import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { CallInProgress, CallsInProgress } from '../../core/runtime/calls-in-progress.ts';

/**
 * Makes the register of calls of all clients of a bridge, so that a flood does not delay earlier calls. Each
 * token is limited to its share: a call can survive its connection, which the HTTP server does not see.
 */
export function registerOfClients(): CallsInProgress {
  return new CallsInProgress({ most: limits.callsInFlight, mostOfOwner: limits.http.inFlightOfToken });
}

/** Runs a client's call; refuses it at once beyond the limits. */
export function takeCall<T>(
  calls: CallsInProgress,
  work: () => Promise<T>,
  owner: string | undefined,
): Promise<T> {
  if (calls.isFull) return Promise.reject(tooMany(`${limits.callsInFlight} calls are`));
  if (calls.isFullFor(owner))
    return Promise.reject(tooMany(`${limits.http.inFlightOfToken} calls with this token are`));
  return calls.run(new CallInProgress({ owner }), work);
}

function tooMany(calls: string): LspanError {
  return new LspanError('busy', `${calls} already in progress.`, {
    nextStep: 'Call again when an earlier call has ended.',
  });
}
