import type { Doubt } from '../../core/doubts.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Trust } from '../../core/trust.ts';
import type { ServerDefinition } from './server-definition.ts';

/** What a call is told that ended before the server was up. */
export function stillStarting({ id, initializeTimeout }: ServerDefinition, since: number): LspanError {
  const elapsed = Math.round((performance.now() - since) / 1000);
  const most = (initializeTimeout ?? limits.initialize.timeout) / 1000;
  return new LspanError('starting', `${id} has been starting for ${elapsed} s, of at most ${most} s.`, {
    nextStep: 'Call again: the start goes on meanwhile.',
  });
}

/** What a call is told whose server was stopped on purpose. */
export function stopped({ id }: ServerDefinition): LspanError {
  return new LspanError('cancelled', `${id} was stopped.`, {
    retryable: true,
    nextStep: 'Call again: lspan starts the server anew.',
  });
}

/** What a call is told while the server is not started because it crashed too often. */
export function breakerOpen(
  { id }: ServerDefinition,
  time: number,
  last: LspanError | undefined,
): LspanError {
  const { crashes, window } = limits.restart;
  const message = `${id} crashed ${crashes} times within ${window / 60_000} minutes and is left alone for ${Math.ceil(time / 1000)} s more.`;
  return new LspanError('server_crashed', last ? `${message} ${last.message}` : message, {
    cause: last,
    nextStep: 'get_server_status shows its last words. It is tried again when that time is over.',
  });
}

/** What a call is told to which a server that was started anew found nothing: it may not know yet. */
export function emptyAfterCrash({ id }: ServerDefinition): LspanError {
  const message = `${id} crashed during this call, and knew nothing after its restart.`;
  return new LspanError('server_unverified', message, { nextStep: 'Call again.' });
}

/** The doubt about what a server that was started anew has answered. */
export function restartedDoubt({ id }: ServerDefinition): Doubt {
  return {
    kind: 'server_restarted',
    server: id,
    detail: `${id} crashed during this call and was started anew.`,
  };
}

/** What a call is told that only a server could answer which would run the repository's code. */
export function notTrusted(definition: ServerDefinition, trust: Trust): LspanError {
  return new LspanError('refused', withheldDoubt(definition, trust).detail, { nextStep: howToTrust });
}

/** The doubt about what a server that is not run would have said. */
export function withheldDoubt({ id, needsTrust = 'code' }: ServerDefinition, { reason }: Trust): Doubt {
  const detail = `${id} is not run, because it would run ${needsTrust} of this repository. ${reason} ${howToTrust}`;
  return { kind: 'not_trusted', server: id, detail };
}

/** Only a person can grant it: no tool and no file of the repository. */
const howToTrust = 'A person who has looked at the repository can allow it with `lspan trust`.';

/** A server that gives just as many symbols as it ever gives may know more. */
export function cappedDoubts(
  { id, symbolCap }: ServerDefinition,
  kind: string,
  size: number,
): readonly Doubt[] {
  if (kind !== 'symbols' || symbolCap === undefined || size < symbolCap) return [];
  const detail = `${id} gives at most ${symbolCap} symbols; a longer name finds the others.`;
  return [{ kind: 'capped', server: id, detail }];
}
