import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { CallInProgress, CallsInProgress } from '../../core/runtime/calls-in-progress.ts';
import type { CancelSignal } from '../../core/runtime/cancellation.ts';

/**
 * Makes the register of calls of all clients of a bridge, so that a flood does not delay earlier calls. Each
 * token is limited to its share: a call can survive its connection, which the HTTP server does not see.
 */
export function registerOfClients(): CallsInProgress {
  return new CallsInProgress({ most: limits.callsInFlight, mostOfOwner: limits.http.inFlightOfToken });
}

/** Who calls, and how it says that it no longer waits. */
interface Caller {
  readonly owner: string | undefined;
  readonly signal?: CancelSignal | undefined;
}

/**
 * Runs a client's call; refuses it beyond the limits. It waits a little for the place of one that was cancelled: whoever
 * takes back many calls and asks the next has no more of them than it may.
 */
export function takeCall<T>(
  calls: CallsInProgress,
  work: () => Promise<T>,
  { owner, signal }: Caller,
): Promise<T> {
  if (calls.isFullFor(owner))
    return Promise.reject(tooMany(`${limits.http.inFlightOfToken} calls with this token are`));
  if (!calls.isFull) return calls.run(new CallInProgress({ owner }), work, signal);
  return calls.awaitRoom(limits.cancelledCalls, signal).then((hasRoom) => {
    if (hasRoom) return takeCall(calls, work, { owner, signal });
    throw signal?.aborted ? cancelled() : tooMany(`${limits.callsInFlight} calls are`);
  });
}

function cancelled(): LspanError {
  return new LspanError('cancelled', 'The call was cancelled.');
}

function tooMany(calls: string): LspanError {
  return new LspanError('busy', `${calls} already in progress.`, {
    nextStep: 'Call again when an earlier call has ended.',
  });
}
