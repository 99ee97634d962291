import { isRecord, number, object, text } from '../core/runtime/json.ts';

/** The id of a request; `1` and `"1"` are two. */
export type RequestId = string | number;

/** A message as a peer means it. The id of a reply stays unknown until it is found among ours. */
export type Message =
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly params: unknown }
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  | { readonly kind: 'result'; readonly id: unknown; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: unknown; readonly error: ResponseError }
  | { readonly kind: 'invalid' };

/**
 * Tells what a JSON value from a peer is, whatever else it holds; `messageFault` says whether it may hold that.
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

/** What can be wrong with a message, in the order in which it is looked for. */
export type MessageFault = 'batch' | 'no_object' | 'version' | 'method' | 'members' | 'id';

/**
 * Returns why a value is not one message of JSON-RPC 2.0, to the letter and with no further members; nothing where it is.
 * Programs and MCP clients are held to that; language servers are not, since some have habits of their own.
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

/** Whether a value can be the id of a request. */
export function isId(value: unknown, longest = Number.POSITIVE_INFINITY): value is RequestId {
  return typeof value === 'string' ? value.length <= longest : Number.isSafeInteger(value);
}

/** Returns the id of what may be a request, where it can be read. */
export function idOf(value: unknown, longest?: number): RequestId | undefined {
  return isRecord(value) && isId(value.id, longest) ? value.id : undefined;
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

/** The error codes of JSON-RPC 2.0. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Any other failure of who was asked. */
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
