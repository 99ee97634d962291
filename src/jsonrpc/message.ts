import { isRecord, number, object, text } from '../core/runtime/json.ts';

/** Id of a request; `1` and `"1"` are different ids. */
export type RequestId = string | number;

/** A message from a peer. The id of a reply is unchecked until it is found among our requests. */
export type Message =
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly params: unknown }
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  | { readonly kind: 'result'; readonly id: unknown; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: unknown; readonly error: ResponseError }
  | { readonly kind: 'invalid' };

/**
 * Classifies a JSON value from a peer and ignores extra members, which `messageFault` checks. An error takes
 * precedence over a result, a reply with neither has the result `null`, and `error: null` is not an error.
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

/** Faults of a message, in the order of the checks. */
export type MessageFault = 'batch' | 'no_object' | 'version' | 'method' | 'members' | 'id';

/**
 * Returns why a value is not a strict JSON-RPC 2.0 message without extra members; `undefined` if it is one.
 * Programs and MCP clients must comply; language servers need not, since some deviate.
 */
export function messageFault(value: unknown, longestId?: number): MessageFault | undefined {
  if (Array.isArray(value)) return 'batch';
  if (!isRecord(value)) return 'no_object';
  const { jsonrpc, id, method, result, error } = value;
  if (jsonrpc !== '2.0') return 'version';
  const isReply = method === undefined && (result !== undefined || error !== undefined);
  if (!isReply && typeof method !== 'string') return 'method';
  const content = isReply ? [result === undefined ? 'error' : 'result'] : ['method', 'params'];
  const isKnown = (member: string) => member === 'jsonrpc' || member === 'id' || content.includes(member);
  if (!Object.keys(value).every(isKnown)) return 'members';
  const hasId = id === undefined ? result === undefined : isId(id, longestId);
  return hasId ? undefined : 'id';
}

/** Returns whether a value can be the id of a request. */
export function isId(value: unknown, longest = Number.POSITIVE_INFINITY): value is RequestId {
  return typeof value === 'string' ? value.length <= longest : Number.isSafeInteger(value);
}

/** Returns the id of a possible request, if it is valid. */
export function idOf(value: unknown, longest?: number): RequestId | undefined {
  return isRecord(value) && isId(value.id, longest) ? value.id : undefined;
}

/** An error reply of a peer; its code says how to handle it. */
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

/** The error codes of JSON-RPC 2.0. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Any other failure of the receiver. */
  serverError: -32000,
} as const;

/** The error codes that LSP adds. */
export const lspCodes = {
  unknownError: -32001,
  requestCancelled: -32800,
  contentModified: -32801,
  serverCancelled: -32802,
} as const;

/** The error codes that MCP adds. */
export const mcpCodes = {
  sessionNotFound: -32001,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

function readError(error: unknown): ResponseError {
  const { code, message, data } = object(error);
  return new ResponseError(
    number(code) ?? lspCodes.unknownError,
    text(message) ?? text(error) ?? 'The server gave no reason.',
    data,
  );
}
