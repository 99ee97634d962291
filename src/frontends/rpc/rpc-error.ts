import { asLspanError, type ErrorCode, LspanError } from '../../core/errors.ts';
import { object } from '../../core/runtime/json.ts';
import { lspCodes, rpcCodes } from '../../jsonrpc/message.ts';
import { fail } from '../../tools/run/render-error.ts';
import type { Outcome } from '../../tools/run/tool.ts';

/** A JSON-RPC error. Programs decide on the code in `data`, which is from a closed set. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data: {
    readonly code: string;
    /** The suggested action, for a person or a model. */
    readonly next_step: string | null;
    /** True if the same request may succeed later. */
    readonly retryable: boolean;
    /** The values to choose from. */
    readonly candidates?: readonly unknown[];
  };
}

/** Returns the error that a host gets for an exception. */
export function rpcError(thrown: unknown): RpcError {
  return errorOf(fail(asLspanError(thrown)).data);
}

/** Returns the error that a host gets for a failed outcome; surfaces may have codes of their own. */
export function errorOf({ error }: Outcome['data']): RpcError {
  const { code, message, retryable, next_step, nextStep, candidates } = object(error);
  const told = typeof code === 'string' ? code : 'internal';
  const step = next_step ?? nextStep;
  return {
    code: numbers.get(told) ?? rpcCodes.serverError,
    message: typeof message === 'string' ? message : 'The call failed.',
    data: {
      code: told,
      next_step: typeof step === 'string' ? step : null,
      retryable: retryable === true,
      ...(Array.isArray(candidates) ? { candidates } : {}),
    },
  };
}

/** Returns the error for a message that is not a request, or has an unknown method. */
export function protocolError(code: number, message: string, nextStep: string): RpcError {
  return { ...rpcError(new LspanError('invalid_input', message, { nextStep })), code };
}

const numbers: ReadonlyMap<string, number> = new Map<ErrorCode, number>([
  ['invalid_input', rpcCodes.invalidParams],
  ['cancelled', lspCodes.requestCancelled],
  ['internal', rpcCodes.internalError],
]);
