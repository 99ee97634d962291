import { isUtf8 } from 'node:buffer';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import { limits } from '../../core/limits.ts';
import { isDeeperThan } from '../../core/runtime/json-depth.ts';

/** One line of input: a message, something to answer with an error, or nothing at all. */
export type ParsedLine =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  | { readonly kind: 'fault'; readonly fault: ParseFault }
  | { readonly kind: 'nothing' };

/** Why a line is not a message, as JSON-RPC tells it. */
export interface ParseFault {
  readonly code: -32700 | -32600;
  readonly message: string;
  /** The id of the request, where one could be read. */
  readonly id?: RequestId;
}

/** Reads one line as a JSON-RPC message; whatever else it holds becomes a fault, and nothing here throws. */
export function parseMessage(line: Buffer): ParsedLine {
  if (!isUtf8(line)) return fault(-32700, 'The line is not valid UTF-8.');
  if (isDeeperThan(line, limits.stdioDepth)) {
    return fault(-32600, `The message is nested more than ${limits.stdioDepth} levels deep.`);
  }
  const text = withoutByteOrderMark(line.toString('utf8')).trim();
  if (text === '') return { kind: 'nothing' };
  const parsed = parseJson(text);
  if (!parsed.ok) return fault(-32700, 'The line is not JSON.');
  if (isMessage(parsed.value)) return { kind: 'message', message: parsed.value };
  if (isBrokenError(parsed.value)) return { kind: 'nothing' };
  return fault(-32600, 'The line is JSON, but not one JSON-RPC 2.0 message.', idOf(parsed.value));
}

function fault(code: ParseFault['code'], message: string, id?: RequestId): ParsedLine {
  return { kind: 'fault', fault: id === undefined ? { code, message } : { code, message, id } };
}

function withoutByteOrderMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function parseJson(text: string): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

/** The shapes of MCP's JSON-RPC: a request, a notification, a result or an error, and no further fields. */
export function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isRecord(value) || value.jsonrpc !== '2.0') return false;
  const { id } = value;
  if (id !== undefined && !isId(id)) return false;
  if (typeof value.method === 'string') return hasOnly(value, fields.asked) && isParams(value.params);
  if (value.result !== undefined)
    return hasOnly(value, fields.answer) && id !== undefined && isRecord(value.result);
  return hasOnly(value, fields.error) && isErrorObject(value.error);
}

const fields = {
  asked: ['jsonrpc', 'id', 'method', 'params'],
  answer: ['jsonrpc', 'id', 'result'],
  error: ['jsonrpc', 'id', 'error'],
};

function isParams(params: unknown): boolean {
  if (params === undefined) return true;
  if (!isRecord(params)) return false;
  const meta = params._meta;
  if (meta === undefined) return true;
  return isRecord(meta) && (meta.progressToken === undefined || isId(meta.progressToken));
}

function isErrorObject(error: unknown): boolean {
  return isRecord(error) && Number.isSafeInteger(error.code) && typeof error.message === 'string';
}

/** A broken error answer is not answered, or two peers could go on for ever. */
function isBrokenError(value: unknown): boolean {
  return isRecord(value) && 'error' in value && !('method' in value);
}

function hasOnly(value: object, keys: readonly string[]): boolean {
  return Object.keys(value).every((key) => keys.includes(key));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/** The id of what may be a request, where it can be read. */
export function idOf(value: unknown): RequestId | undefined {
  return isRecord(value) && isId(value.id) ? value.id : undefined;
}
