import { once } from 'node:events';
import { STATUS_CODES } from 'node:http';
import { type Refusal, refusalBody } from './refusals.ts';
import type { RequestRecord } from './request-record.ts';

type Headers = Readonly<Record<string, string>>;

const always = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
const json = { ...always, 'Content-Type': 'application/json' };

/** Writes a complete answer. */
export function writeText(turn: RequestRecord, status: number, headers: Headers, body: string): void {
  const length = Buffer.byteLength(body);
  turn.bytesOut = length;
  turn.response.writeHead(status, {
    ...always,
    ...headers,
    ...(status !== 204 && { 'Content-Length': length }),
  });
  turn.response.end(body);
}

/** Writes a refusal. With `open` the caller ends the response, once the client no longer sends. */
export function writeRefusal(
  turn: RequestRecord,
  refusal: Refusal,
  more: { readonly headers?: Headers; readonly id?: string | number; readonly open?: boolean } = {},
): void {
  const body = refusalBody(refusal, more.id);
  turn.refusal = refusal;
  turn.bytesOut = Buffer.byteLength(body);
  turn.response.writeHead(refusal.status, {
    ...json,
    ...refusal.headers,
    ...more.headers,
    'Content-Length': turn.bytesOut,
  });
  if (more.open) turn.response.write(body);
  else turn.response.end(body);
}

/** Returns a refusal as raw HTTP, for a connection that Node's parser has released. */
export function rawRefusal(refusal: Refusal, more: Headers): string {
  const body = refusalBody(refusal);
  const headers = { ...json, ...more, Connection: 'close', 'Content-Length': Buffer.byteLength(body) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`;
}

/** Writes a stream as fast as the client reads; rejects when the client disconnects or the stream fails. */
export async function writeStream(
  turn: RequestRecord,
  reply: { readonly status: number; readonly headers: Headers; readonly body: ReadableStream<Uint8Array> },
  signal: AbortSignal,
): Promise<void> {
  const { response } = turn;
  const reader = reply.body.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  response.writeHead(reply.status, { ...always, ...reply.headers });
  response.flushHeaders();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    turn.bytesOut += value.length;
    if (!response.write(value)) await once(response, 'drain', { signal });
  }
  signal.removeEventListener('abort', cancel);
  response.end();
}
