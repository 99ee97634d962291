import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server';
import { mcpCodes, type RequestId, rpcCodes } from '../../../jsonrpc/message.ts';
import type { Exchange, HttpReply } from '../../http/exchange.ts';
import { claimedRevision, is2026Claim, revision2026, revisions } from '../fast-path/eras.ts';
import { refuse } from './refuse.ts';

/** The revision to which `--protocol` can restrict the endpoint. */
export type Revision = '2025-11-25';

interface Claimed {
  readonly exchange: Exchange;
  readonly message: JSONRPCMessage | undefined;
  readonly is2026: boolean;
  readonly only: Revision | undefined;
}

/** Why a request is of a revision that is not served; the SDK would repeat what was asked for, at any length. */
export function refusedRevision(claimed: Claimed): HttpReply | undefined {
  return claimed.only ? otherThan(claimed.only, claimed) : unknown(claimed);
}

function unknown({ exchange, message, is2026 }: Claimed): HttpReply | undefined {
  const header = exchange.headers.get('mcp-protocol-version');
  const request = requestIn(message);
  const claim = is2026 ? claimedRevision(request?.params?._meta) : undefined;
  const agree = header === undefined || header === claim;
  const isOdd = claim !== undefined && claim !== revision2026 && agree;
  if (!isOdd && isKnown(header, exchange)) return undefined;
  const asked = isOdd ? claim : header;
  const id = request?.id;
  // By the rules of 2026 only those can be spoken that `server/discover` tells.
  return is2026
    ? unsupported(mcpCodes.unsupportedVersion, { supported: [revision2026], asked, id })
    : unsupported(rpcCodes.serverError, { supported: [revision2026, ...revisions], asked, id });
}

function otherThan(only: Revision, { exchange, message, is2026 }: Claimed): HttpReply | undefined {
  const header = exchange.headers.get('mcp-protocol-version');
  const request = requestIn(message);
  const told = { supported: [only], id: request?.id };
  if (is2026) {
    const asked = claimedRevision(request?.params?._meta) ?? header;
    return unsupported(mcpCodes.unsupportedVersion, { ...told, asked });
  }
  const opens = request?.method === 'initialize';
  const asked = opens ? request.params?.protocolVersion : header;
  if (asked === only && (header === undefined || header === only)) return undefined;
  return unsupported(opens ? rpcCodes.invalidParams : rpcCodes.serverError, { ...told, asked });
}

/**
 * Whether a request is of the 2026 revision, where its headers and its body say so in the usual way. Nothing means that
 * the SDK's own rule should judge, which reads the whole body by its schemas to say the same.
 */
export function isPlainly2026({ headers }: Exchange, message: JSONRPCMessage): boolean | undefined {
  const request = requestIn(message);
  if (!request) return undefined;
  const header = headers.get('mcp-protocol-version');
  const claim = request.params?._meta;
  if (claim === undefined) return header === undefined || revisions.has(header) ? false : undefined;
  return isMethodMirrored(headers, request) && is2026Claim(claim) ? true : undefined;
}

/** Whether the headers of a request of the 2026 revision repeat what its body says. */
export function isMirrored({ headers }: Exchange, request: JSONRPCRequest): boolean {
  const name = request.method === 'tools/call' ? request.params?.name : undefined;
  return isMethodMirrored(headers, request) && headers.get('mcp-name') === name;
}

function isMethodMirrored(headers: Exchange['headers'], { method }: JSONRPCRequest): boolean {
  return headers.get('mcp-protocol-version') === revision2026 && headers.get('mcp-method') === method;
}

/** Returns a message where it is a request. */
export function requestIn(message: JSONRPCMessage | undefined): JSONRPCRequest | undefined {
  return message && 'method' in message && 'id' in message ? message : undefined;
}

/** The 2026 revision has nothing but messages. */
function isKnown(header: string | undefined, { method }: Exchange): boolean {
  return header === undefined || revisions.has(header) || (header === revision2026 && method === 'POST');
}

/** What was asked for is repeated where it is like a version: anything else is the client's own text. */
function unsupported(
  code: number,
  { supported, asked, id }: { supported: readonly unknown[]; asked: unknown; id: RequestId | undefined },
): HttpReply {
  const isVersion = typeof asked === 'string' && /^[\w.-]{1,32}$/.test(asked);
  const data = { supported, ...(isVersion && { requested: asked }) };
  return refuse(400, code, 'This protocol revision is not served.', id, { data });
}
