import type { HttpContext } from './http-context.ts';
import type { Refusal } from './refusals.ts';
import type { RequestRecord } from './request-record.ts';
import { writeRefusal } from './write-answer.ts';

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
