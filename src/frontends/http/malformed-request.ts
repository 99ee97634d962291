import type { Duplex } from 'node:stream';
import type { HttpContext } from './http-context.ts';
import { type Refusal, refusalName, refusals } from './refusals.ts';
import type { Rules } from './rules.ts';
import { rawRefusal } from './write-answer.ts';

/** Answers a request that Node's parser rejected, and closes the connection. */
export function answerMalformedRequest(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  context: HttpContext,
): void {
  const inProgress = context.connections.on(socket);
  // A last answer is being written, and the connection closes after it.
  if (context.connections.isClosing(socket)) return;
  if (error.code === 'HPE_CLOSED_CONNECTION' && inProgress.length > 0) return;
  const gone = error.code === 'ECONNRESET' || error.code === 'EPIPE' || !socket.writable;
  // Another answer may be half written, or the client may take this answer for the one to another request.
  if (gone || inProgress.length > 1 || inProgress.some(({ isReading }) => !isReading)) socket.destroy();
  else end(socket, brokenAs.get(error.code ?? '') ?? refusals.syntax, {}, context);
}

/** Refuses CONNECT: there are no tunnels. */
export function answerConnect(socket: Duplex, context: HttpContext): void {
  socket.on('error', () => socket.destroy());
  end(socket, refusals.method, { Allow: allowed(context.rules) }, context);
}

function end(socket: Duplex, refusal: Refusal, more: Record<string, string>, context: HttpContext): void {
  const raw = rawRefusal(refusal, more);
  context.connections.beginClosing(socket);
  socket.end(raw, () => socket.destroy());
  const none = { route: 'none', method: 'other', ms: 0, bytesIn: 0 } as const;
  const why = refusalName(refusal);
  context.onAnswered?.({ ...none, status: refusal.status, ...(why && { why }), bytesOut: raw.length });
}

function allowed({ routes }: Rules): string {
  return [...new Set([...routes.values()].flatMap(({ methods }) => [...methods]))].join(', ');
}

const brokenAs: ReadonlyMap<string, Refusal> = new Map<string, Refusal>([
  ['HPE_HEADER_OVERFLOW', refusals.headers],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', refusals.length],
  ['ERR_HTTP_REQUEST_TIMEOUT', refusals.late],
]);
