import type { IncomingMessage, ServerResponse } from 'node:http';
import { idOf, type RequestId } from '../../jsonrpc/message.ts';
import { expositionType } from '../observe/exposition.ts';
import { checkRequest } from './check-request.ts';
import type { Exchange, HttpReply } from './exchange.ts';
import type { HttpContext } from './http-context.ts';
import type { RequestInProgress } from './open-connections.ts';
import { parseJsonBody, readBody, refuseUnread } from './read-body.ts';
import { refusals } from './refusals.ts';
import { answeredOf, type RequestRecord } from './request-record.ts';
import { writeRefusal, writeStream, writeText } from './write-answer.ts';

/** Handles a request up to its answer. `waiting`: the client sends its body only after 100 Continue. */
export async function handleRequest(
  context: HttpContext,
  request: IncomingMessage,
  response: ServerResponse,
  waiting: boolean,
): Promise<void> {
  const { rules, connections, onAnswered } = context;
  if (connections.isClosing(request.socket)) return;
  const began = performance.now();
  const turn: RequestRecord = { request, response, began, waiting, route: 'none', bytesIn: 0, bytesOut: 0 };
  const tell = () => onAnswered?.(answeredOf(turn));
  response.once('finish', tell);
  if (request.httpVersionMajor !== 1) return refuseUnread(turn, refusals.syntax, context);
  const admission = checkRequest(request.method ?? '', request.url ?? '', request.rawHeaders, rules);
  turn.route = admission.route?.name ?? 'none';
  if (admission.kind === 'refused' || turn.route === 'healthz') {
    const isLast = connections.isLastUnauthenticated(request.socket);
    if (admission.kind === 'refused')
      return refuseUnread(turn, admission.refusal, context, { allow: admission.allow, isLast });
    return writeText(turn, 200, { ...jsonType, ...(isLast && lastHeader) }, '{"status":"ok"}');
  }
  const accepted = connections.enter(admission.tokenId, request.socket, tell);
  if ('status' in accepted) return refuseUnread(turn, accepted, context);
  response.once('finish', () => connections.leave(accepted));
  const answer =
    turn.route === 'metrics'
      ? answerMetrics(turn, context, accepted)
      : answerExchange(turn, context, accepted, admission.headers);
  return answer.catch((cause) => fail(turn, context, accepted, cause));
}

async function answerMetrics(
  turn: RequestRecord,
  context: HttpContext,
  accepted: RequestInProgress,
): Promise<void> {
  if (await isOut(accepted, context)) return;
  writeText(turn, 200, metricsType, await context.metrics());
}

/** True if the token was revoked before any work was done; a client that disconnects is a different case. */
async function isOut(accepted: RequestInProgress, { tokens }: HttpContext): Promise<boolean> {
  await tokens.confirmed();
  return accepted.isRevoked;
}

async function answerExchange(
  turn: RequestRecord,
  context: HttpContext,
  accepted: RequestInProgress,
  headers: Exchange['headers'],
): Promise<void> {
  const { request, response } = turn;
  const { most, serve } = context;
  const method = request.method === 'GET' || request.method === 'DELETE' ? request.method : 'POST';
  let body: unknown;
  if (method === 'POST') {
    if (turn.waiting) response.writeContinue();
    accepted.isReading = true;
    const bytes = await readBody(request, most.body);
    accepted.isReading = false;
    if (bytes === 'gone') return;
    if (bytes === 'large') return refuseUnread(turn, refusals.length, context);
    turn.bytesIn = bytes.length;
    const parsed = parseJsonBody(bytes, most);
    if ('status' in parsed) return writeRefusal(turn, parsed);
    body = parsed.value;
  }
  if (await isOut(accepted, context)) return;
  const exchange: Exchange = {
    method,
    headers,
    body,
    tokenId: accepted.tokenId,
    gone: accepted,
  };
  await writeReply(turn, context, accepted, await serve(exchange), exchange);
}

async function writeReply(
  turn: RequestRecord,
  { connections, most }: HttpContext,
  accepted: RequestInProgress,
  { status, headers = {}, body = '', streaming }: HttpReply,
  exchange: Exchange,
): Promise<void> {
  if (typeof body !== 'string') {
    const full = exchange.method === 'GET' || streaming ? connections.becomeStreaming(accepted) : undefined;
    if (accepted.isStreaming) turn.lasting = true;
    if (!full) return writeStream(turn, { status, headers, body }, accepted.signal);
    writeRefusal(turn, full);
    return body.cancel();
  }
  if (Buffer.byteLength(body) <= most.response + most.envelope) writeText(turn, status, headers, body);
  else writeRefusal(turn, refusals.response, idThatFits(exchange.body, most.response));
}

/** Answers a request that failed; one that was aborted is not logged as a failure. */
function fail(turn: RequestRecord, { log }: HttpContext, accepted: RequestInProgress, cause: unknown): void {
  const left = accepted.aborted;
  if (!left) log('error', 'http.failed', { cause });
  if (turn.response.headersSent) turn.request.socket.destroy();
  else writeRefusal(turn, left ? refusals.leaving : refusals.fault);
}

/** Returns the id of a request, unless the id alone would make the answer too long. */
function idThatFits(body: unknown, most: number): { readonly id?: RequestId } {
  const id = idOf(body);
  const isLong = typeof id === 'string' && Buffer.byteLength(JSON.stringify(id)) > most;
  return id === undefined || isLong ? {} : { id };
}

const lastHeader = { Connection: 'close' };
const jsonType = { 'Content-Type': 'application/json' };
const metricsType = { 'Content-Type': expositionType };
