import { type Failure, failureIn, failureNumbers } from '../../surfaces/gateway/failure.ts';
import type { Outcome } from '../../tools/run/tool.ts';

/** An error of the protocol, in the fields that the SDK takes from whatever is thrown. */
export type ProtocolFailure = Error & {
  readonly code: number;
  readonly data: Pick<Failure, 'code' | 'retryable' | 'nextStep'>;
};

/** The error of the protocol that an outcome is; made without the SDK, which need not be loaded. */
export function protocolFailure(outcome: Outcome['data']): ProtocolFailure {
  const { code, message, retryable, nextStep } = failureIn(outcome);
  // Most clients show their model the message and nothing else.
  const error = new Error(`${message} ${nextStep}`);
  return Object.assign(error, { code: failureNumbers[code], data: { code, retryable, nextStep } });
}

/** What a client is told of something that was thrown. */
export function toldFailure(thrown: unknown): Pick<ProtocolFailure, 'code' | 'message' | 'data'> {
  const { code, message, data } = isProtocolFailure(thrown) ? thrown : protocolFailure({});
  return { code, message, data };
}

function isProtocolFailure(thrown: unknown): thrown is ProtocolFailure {
  return thrown instanceof Error && 'code' in thrown && 'data' in thrown && Number.isInteger(thrown.code);
}
