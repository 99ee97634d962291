import { isUtf8 } from 'node:buffer';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { limits } from '../../core/limits.ts';
import { isRecord } from '../../core/runtime/json.ts';
import { isDeeperThan } from '../../core/runtime/json-depth.ts';
import { idOf, isId, messageFault, type RequestId, rpcCodes } from '../../jsonrpc/message.ts';
import { parseJson } from '../../jsonrpc/parse-body.ts';

/** One line of input: a message, a fault to answer with an error, or nothing to answer. */
type ParsedLine =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  | { readonly kind: 'fault'; readonly fault: ParseFault }
  | { readonly kind: 'nothing' };

/** Why a line is not a message, as a JSON-RPC error. */
export interface ParseFault {
  readonly code: number;
  readonly message: string;
  /** The id of the request, if it could be read. */
  readonly id?: RequestId;
}

/** Parses one line as a JSON-RPC message; any other content becomes a fault, and nothing here throws. */
export function parseMessage(line: Buffer): ParsedLine {
  if (!isUtf8(line)) return fault(rpcCodes.parseError, 'The line is not valid UTF-8.');
  if (isDeeperThan(line, limits.stdioDepth)) {
    return fault(
      rpcCodes.invalidRequest,
      `The message is nested more than ${limits.stdioDepth} levels deep.`,
    );
  }
  const text = withoutByteOrderMark(line.toString('utf8')).trim();
  if (text === '') return { kind: 'nothing' };
  const parsed = parseJson(text);
  if (parsed === 'not_json') return fault(rpcCodes.parseError, 'The line is not JSON.');
  if (isMessage(parsed.value)) return { kind: 'message', message: parsed.value };
  if (isBrokenError(parsed.value)) return { kind: 'nothing' };
  return fault(
    rpcCodes.invalidRequest,
    'The line is JSON, but not one JSON-RPC 2.0 message.',
    idOf(parsed.value),
  );
}

function fault(code: ParseFault['code'], message: string, id?: RequestId): ParsedLine {
  return { kind: 'fault', fault: id === undefined ? { code, message } : { code, message, id } };
}

function withoutByteOrderMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** True for a message as MCP narrows JSON-RPC: parameters and results are objects. */
export function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isRecord(value) || messageFault(value) !== undefined) return false;
  if (typeof value.method === 'string') return isParams(value.params);
  return value.result === undefined ? isErrorObject(value.error) : isRecord(value.result);
}

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

/** A malformed error response is not answered, or two peers could go on forever. */
function isBrokenError(value: unknown): boolean {
  return isRecord(value) && 'error' in value && !('method' in value);
}
