import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { isDeeperThan, isWiderThan } from '../../core/runtime/json-depth.ts';
import { parseJson } from '../../jsonrpc/parse-body.ts';
import type { HttpContext } from './http-context.ts';
import { type Refusal, refusals } from './refusals.ts';
import type { RequestRecord } from './request-record.ts';
import type { HttpLimits } from './request-rules.ts';
import { writeRefusal } from './write-answer.ts';

/** Reads the body of a request; 'large' if it exceeds the limit, 'gone' if the client disconnected. */
export function readBody(request: IncomingMessage, most: number): Promise<Buffer | 'large' | 'gone'> {
  return new Promise((resolve) => {
    let held: Buffer = empty;
    let size = 0;
    const settle = (outcome: Buffer | 'large' | 'gone') => {
      request.off('data', take).off('end', end).off('close', gone).off('error', gone);
      resolve(outcome);
    };
    const take = (chunk: Buffer) => {
      if (size + chunk.length > most) return settle('large');
      held = size === 0 ? chunk : joined(held, size, chunk);
      size += chunk.length;
    };
    const end = () => settle(held.subarray(0, size));
    const gone = () => settle('gone');
    request.on('data', take).on('end', end).on('close', gone).on('error', gone);
  });
}

/** Parses a JSON body, or returns why it is refused. */
export function parseJsonBody(
  bytes: Buffer,
  most: Pick<HttpLimits, 'bodyDepth' | 'bodyMembers' | 'bodyValues'>,
): { readonly value: unknown } | Refusal {
  if (bytes.length === 0) return refusals.empty;
  if (!isUtf8(bytes)) return refusals.encoding;
  if (isDeeperThan(bytes, most.bodyDepth)) return refusals.depth;
  if (isWiderThan(bytes, { members: most.bodyMembers, values: most.bodyValues })) return refusals.width;
  const parsed = parseJson(bytes.toString('utf8'));
  return parsed === 'not_json' ? refusals.json : parsed;
}

/** Copies chunks rather than collects them: a million one-byte chunks would cost 100 times their size. */
function joined(held: Buffer, size: number, chunk: Buffer): Buffer {
  const needed = size + chunk.length;
  const room = held.length >= needed ? held : Buffer.allocUnsafe(2 * needed);
  if (room !== held) held.copy(room, 0, 0, size);
  chunk.copy(room, size);
  return room;
}

const empty = Buffer.alloc(0);

/**
 * Refuses a request that may not be fully received. Node skips a short body of known length, and the
 * connection stays open. Otherwise the connection closes, but not at once: closing it while the client sends
 * resets it, and the answer is lost.
 */
export function refuseUnread(
  turn: RequestRecord,
  refusal: Refusal,
  context: HttpContext,
  { allow, isLast = false }: { readonly allow?: string | undefined; readonly isLast?: boolean } = {},
): void {
  const { request, response } = turn;
  const { most, connections } = context;
  const headers = { ...(allow !== undefined && { Allow: allow }), ...(isLast && { Connection: 'close' }) };
  if (!endsConnection(turn, refusal, most.body)) {
    writeRefusal(turn, refusal, { headers });
    return;
  }
  connections.beginClosing(request.socket);
  writeRefusal(turn, refusal, { headers: { ...headers, Connection: 'close' }, open: true });
  const end = () => {
    clearTimeout(timer);
    request.off('end', end).off('close', end);
    response.end();
  };
  const timer = setTimeout(end, most.linger);
  request.once('end', end).once('close', end).resume();
}

/** A client that waits for 100 Continue may send its body anyway, so the next bytes would be ambiguous. */
function endsConnection({ request, waiting }: RequestRecord, { headers }: Refusal, short: number): boolean {
  if (request.complete) return false;
  const isLong = Number(request.headers['content-length'] ?? 0) > short;
  return headers?.Connection === 'close' || waiting || isLong || 'transfer-encoding' in request.headers;
}
