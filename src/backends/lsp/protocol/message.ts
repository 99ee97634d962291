import { number, object, text } from '../../../core/runtime/json.ts';

/** What a message of a server is. The id of a reply stays unknown until it is found among ours. */
export type Message =
  | {
      readonly kind: 'request';
      readonly id: number | string;
      readonly method: string;
      readonly params: unknown;
    }
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  | { readonly kind: 'result'; readonly id: unknown; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: unknown; readonly error: ResponseError }
  | { readonly kind: 'invalid' };

/**
 * Tells what a JSON value from a server is, whatever it claims to be.
 * An error beside a result wins, a reply with neither has the result `null`, and `error: null` is no error.
 */
export function readMessage(value: unknown): Message {
  const { id, method, params, result = null, error = null } = object(value);
  if (method === undefined && id !== undefined) {
    return error === null ? { kind: 'result', id, result } : { kind: 'error', id, error: readError(error) };
  }
  if (typeof method !== 'string') return { kind: 'invalid' };
  if (id === undefined) return { kind: 'notification', method, params };
  const known = text(id) ?? number(id);
  return known === undefined ? { kind: 'invalid' } : { kind: 'request', id: known, method, params };
}

/** An error that one side of a connection replied with; its code says what to do about it. */
export class ResponseError extends Error {
  override readonly name = 'ResponseError';
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The codes of JSON-RPC and LSP that something in lspan decides on. */
export const responseCodes = {
  methodNotFound: -32601,
  internalError: -32603,
  unknownError: -32001,
  requestCancelled: -32800,
  contentModified: -32801,
  serverCancelled: -32802,
  requestFailed: -32803,
} as const;

function readError(error: unknown): ResponseError {
  const { code, message, data } = object(error);
  return new ResponseError(
    number(code) ?? responseCodes.unknownError,
    text(message) ?? text(error) ?? 'The server gave no reason.',
    data,
  );
}
