import type { HttpContext } from './http-context.ts';
import type { Refusal } from './refusals.ts';
import type { RequestRecord } from './request-record.ts';
import { writeRefusal } from './write-answer.ts';

/**
 * Refuses a request of which something may still be on the way. A short body of known length is skipped by
 * Node, and the connection goes on. Otherwise the connection ends, but not at once: one that is closed while
 * its client sends is reset, and the answer is lost on the way.
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

/** Whoever waits to be told to go on may send the body all the same, so what comes next would be in doubt. */
function endsConnection({ request, waiting }: RequestRecord, { headers }: Refusal, short: number): boolean {
  if (request.complete) return false;
  const isLong = Number(request.headers['content-length'] ?? 0) > short;
  return headers?.Connection === 'close' || waiting || isLong || 'transfer-encoding' in request.headers;
}
