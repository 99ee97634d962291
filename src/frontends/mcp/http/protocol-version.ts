import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server';
import { mcpCodes, type RequestId, rpcCodes } from '../../../jsonrpc/message.ts';
import type { Exchange, HttpReply } from '../../http/exchange.ts';
import { claimedRevision, isModernClaim, modern, revisions } from '../fast-path/data-answers.ts';
import { refuse } from './refuse.ts';

/** The revision to which `--protocol` can restrict the endpoint. */
export type Revision = '2025-11-25';

interface Claimed {
  readonly exchange: Exchange;
  readonly message: JSONRPCMessage | undefined;
  readonly isModern: boolean;
  readonly only: Revision | undefined;
}

/** Why a request is of a revision that is not served; the SDK would repeat what was asked for, at any length. */
export function refusedRevision(claimed: Claimed): HttpReply | undefined {
  return claimed.only ? otherThan(claimed.only, claimed) : unknown(claimed);
}

function unknown({ exchange, message, isModern }: Claimed): HttpReply | undefined {
  const header = exchange.headers.get('mcp-protocol-version');
  const request = requestIn(message);
  const claim = isModern ? claimedRevision(request?.params?._meta) : undefined;
  const agree = header === undefined || header === claim;
  const isOdd = claim !== undefined && claim !== modern && agree;
  if (!isOdd && isKnown(header, exchange)) return undefined;
  const asked = isOdd ? claim : header;
  const id = request?.id;
  // By the rules of 2026 only those can be spoken that `server/discover` tells.
  return isModern
    ? unsupported(mcpCodes.unsupportedVersion, { supported: [modern], asked, id })
    : unsupported(rpcCodes.serverError, { supported: [modern, ...revisions], asked, id });
}

function otherThan(only: Revision, { exchange, message, isModern }: Claimed): HttpReply | undefined {
  const header = exchange.headers.get('mcp-protocol-version');
  const request = requestIn(message);
  const told = { supported: [only], id: request?.id };
  if (isModern) {
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
export function plainlyModern({ headers }: Exchange, message: JSONRPCMessage): boolean | undefined {
  const request = requestIn(message);
  if (!request) return undefined;
  const header = headers.get('mcp-protocol-version');
  const claim = request.params?._meta;
  if (claim === undefined) return header === undefined || revisions.has(header) ? false : undefined;
  const agree = header === modern && headers.get('mcp-method') === request.method;
  return agree && isModernClaim(claim) ? true : undefined;
}

function requestIn(message: JSONRPCMessage | undefined): JSONRPCRequest | undefined {
  return message && 'method' in message && 'id' in message ? message : undefined;
}

/** The 2026 revision has nothing but messages. */
function isKnown(header: string | undefined, { method }: Exchange): boolean {
  return header === undefined || revisions.has(header) || (header === modern && method === 'POST');
}

/** What was asked for is repeated where it is like a version: anything else is the client's own text. */
function unsupported(
  code: number,
  { supported, asked, id }: { supported: readonly unknown[]; asked: unknown; id: RequestId | undefined },
): HttpReply {
  const isVersion = typeof asked === 'string' && /^[\w.-]{1,32}$/.test(asked);
  const data = { supported, ...(isVersion && { requested: asked }) };
  return refuse(400, code, 'This protocol revision is not served.', { id, data });
}
