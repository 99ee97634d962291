import { type Failure, failureIn, failureNumbers } from '../../surfaces/gateway/failure.ts';
import type { Outcome } from '../../tools/run/tool.ts';

/** A protocol error, in the fields that the SDK reads from an exception. */
type ProtocolFailure = Error & {
  readonly code: number;
  readonly data: Pick<Failure, 'code' | 'retryable' | 'nextStep'>;
};

/** Returns the protocol error of a failed outcome, without the SDK, which need not be loaded. */
export function protocolFailure(outcome: Outcome['data']): ProtocolFailure {
  const { code, message, retryable, nextStep } = failureIn(outcome);
  // Most clients show their model only the message.
  const error = new Error(`${message} ${nextStep}`);
  return Object.assign(error, { code: failureNumbers[code], data: { code, retryable, nextStep } });
}

/** Returns the error that a client gets for an exception. */
export function toldFailure(thrown: unknown): Pick<ProtocolFailure, 'code' | 'message' | 'data'> {
  const { code, message, data } = isProtocolFailure(thrown) ? thrown : protocolFailure({});
  return { code, message, data };
}

function isProtocolFailure(thrown: unknown): thrown is ProtocolFailure {
  return thrown instanceof Error && 'code' in thrown && 'data' in thrown && Number.isInteger(thrown.code);
}
