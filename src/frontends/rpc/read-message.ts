import { limits } from '../../core/limits.ts';

/** What a request is called by; `1` and `"1"` are two. */
export type RpcId = string | number;

/** What a message of a host is. */
export type RpcMessage =
  | { readonly kind: 'request'; readonly id: RpcId; readonly method: string; readonly params: unknown }
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  /** An answer, though nobody asked; if it were answered, two peers could go on for ever. */
  | { readonly kind: 'reply' }
  | { readonly kind: 'invalid'; readonly id: RpcId | null; readonly reason: string };

/** Tells what a JSON value from a host is, by JSON-RPC 2.0 and with no further fields. */
export function readRpcMessage(value: unknown): RpcMessage {
  if (Array.isArray(value)) return invalid(null, 'A list of messages is not taken: send each by itself.');
  if (!isRecord(value)) return invalid(null, 'A message is a JSON object.');
  const { jsonrpc, id, method, params, ...rest } = value;
  if (method === undefined && ('result' in rest || 'error' in rest)) return { kind: 'reply' };
  const told = isId(id) ? id : null;
  if (jsonrpc !== '2.0') return invalid(told, 'The member "jsonrpc" must be "2.0".');
  if (typeof method !== 'string') return invalid(told, 'The member "method" must be a string.');
  const [stranger] = Object.keys(rest);
  if (stranger !== undefined)
    return invalid(told, 'A message has no members but jsonrpc, id, method, params.');
  if (!('id' in value)) return { kind: 'notification', method, params };
  return told === null ? invalid(null, wrongId) : { kind: 'request', id: told, method, params };
}

/** Whether a value can be what a request is called by. */
export function isId(value: unknown): value is RpcId {
  return typeof value === 'string' ? value.length <= limits.rpc.id : Number.isSafeInteger(value);
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(id: RpcId | null, reason: string): RpcMessage {
  return { kind: 'invalid', id, reason };
}

const wrongId = `The member "id" must be a whole number, or a string of at most ${limits.rpc.id} characters.`;
