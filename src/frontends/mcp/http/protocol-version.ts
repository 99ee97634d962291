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

/** Refuses a revision that is not served; the SDK would echo the requested one, at any length. */
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
  // The rules of 2026 allow only the revisions that `server/discover` lists.
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
 * True for a 2026 request, false for an older one, if headers and body have the usual form; else undefined:
 * the SDK's own rule then decides, which validates the whole body by its schemas for the same result.
 */
export function isPlainly2026({ headers }: Exchange, message: JSONRPCMessage): boolean | undefined {
  const request = requestIn(message);
  if (!request) return undefined;
  const header = headers.get('mcp-protocol-version');
  const claim = request.params?._meta;
  if (claim === undefined) return header === undefined || revisions.has(header) ? false : undefined;
  return isMethodMirrored(headers, request) && is2026Claim(claim) ? true : undefined;
}

/** True if the headers of a request of the 2026 revision match its body. */
export function isMirrored({ headers }: Exchange, request: JSONRPCRequest): boolean {
  const name = request.method === 'tools/call' ? request.params?.name : undefined;
  return isMethodMirrored(headers, request) && headers.get('mcp-name') === name;
}

function isMethodMirrored(headers: Exchange['headers'], { method }: JSONRPCRequest): boolean {
  return headers.get('mcp-protocol-version') === revision2026 && headers.get('mcp-method') === method;
}

/** Returns the message if it is a request. */
export function requestIn(message: JSONRPCMessage | undefined): JSONRPCRequest | undefined {
  return message && 'method' in message && 'id' in message ? message : undefined;
}

/** The 2026 revision uses only POST. */
function isKnown(header: string | undefined, { method }: Exchange): boolean {
  return header === undefined || revisions.has(header) || (header === revision2026 && method === 'POST');
}

/** Echoes the requested version only if it looks like a version: anything else is the client's own text. */
function unsupported(
  code: number,
  { supported, asked, id }: { supported: readonly unknown[]; asked: unknown; id: RequestId | undefined },
): HttpReply {
  const isVersion = typeof asked === 'string' && /^[\w.-]{1,32}$/.test(asked);
  const data = { supported, ...(isVersion && { requested: asked }) };
  return refuse(400, code, 'This protocol revision is not served.', id, { data });
}
