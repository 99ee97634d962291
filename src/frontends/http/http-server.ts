import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Log } from '../../core/log.ts';
import type { Serve } from './exchange.ts';
import { handleRequest } from './handle-request.ts';
import type { HttpContext } from './http-context.ts';
import { Connections } from './open-connections.ts';
import { type Refusal, refusalName, refusals } from './refusals.ts';
import type { AnsweredRequest } from './request-record.ts';
import { checkSettings, type HttpLimits, type RuleSettings, type Rules, rulesOf } from './request-rules.ts';
import { rawRefusal } from './write-answer.ts';

/** Options of an HTTP server. */
export interface HttpServerOptions extends RuleSettings {
  /** 0 picks a free port. */
  readonly port: number;
  readonly serve: Serve;
  /** Returns the text of `/metrics`. */
  readonly metrics: () => string | Promise<string>;
  readonly log: Log;
  /** Called for every request once it is over. */
  readonly onAnswered?: (answered: AnsweredRequest) => void;
  /** Overrides of the default limits. */
  readonly limits?: Partial<HttpLimits>;
}

/** An HTTP server on a loopback address that admits clients with a valid token. */
export interface HttpServer {
  readonly port: number;
  /** Returns how many calls, streams and connections are open. */
  counts(): { readonly calls: number; readonly streams: number; readonly sockets: number };
  /** Admits no more requests, aborts those in progress, and resolves when the last connection is closed. */
  close(): Promise<void>;
}

/** Starts the HTTP server; rejects, with nothing bound, if it could not keep its promises. */
export async function openHttpServer(settings: HttpServerOptions): Promise<HttpServer> {
  checkSettings(settings);
  const most: HttpLimits = { ...limits.http, ...settings.limits };
  const connections = new Connections(most);
  const server = makeServer(most);
  const port = await listen(server, settings.host, settings.port);
  const context = { ...settings, rules: rulesOf(settings, port, most), most, connections };
  const take = (waiting: boolean) => (request: IncomingMessage, response: ServerResponse) =>
    handleRequest(context, request, response, waiting).catch((cause) => {
      settings.log('error', 'http.failed', { cause });
      request.socket.destroy();
    });
  server
    .on('connection', (socket) => connections.add(socket))
    .on('request', take(false))
    .on('checkContinue', take(true))
    .on('checkExpectation', take(true))
    .on('connect', (_request, socket: Duplex) => answerConnect(socket, context))
    .on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) =>
      answerMalformedRequest(error, socket, context),
    )
    .on('timeout', (socket) => {
      // Either a client that does not read what is written to it, or an idle connection.
      if (socket.writableLength > 0 || connections.on(socket).length === 0) socket.destroy();
    })
    .on('error', (cause) => settings.log('error', 'http.listener', { cause }));
  const forget = settings.tokens.onRevoked((tokenId) => connections.revoke(tokenId));
  let closing: Promise<void> | undefined;
  const close = async () => {
    forget();
    const closed = once(server, 'close');
    server.close();
    const timer = setTimeout(() => server.closeAllConnections(), most.leaving);
    await Promise.all([closed, connections.clear()]);
    clearTimeout(timer);
  };
  return { port, counts: () => connections.counts(), close: () => (closing ??= close()) };
}

/** The Host header is checked with the others, so that its absence is answered like any other refusal. */
function makeServer(most: HttpLimits): Server {
  const server = createServer({
    maxHeaderSize: most.header,
    headersTimeout: most.headersTime,
    requestTimeout: most.bodyTime,
    keepAliveTimeout: most.keepAlive,
    connectionsCheckingInterval: most.checkEvery,
    insecureHTTPParser: false,
    requireHostHeader: false,
  });
  // `Connections` enforces the real limit, as it knows which clients may stay; this one stops a sudden flood.
  server.maxConnections = 2 * most.sockets;
  server.maxHeadersCount = 0;
  server.timeout = most.writeTime;
  return server;
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  server.listen({ host, port, exclusive: true });
  await once(server, 'listening').catch((cause) => {
    throw cannotListen(cause, port);
  });
  const address = server.address();
  if (address !== null && typeof address === 'object' && address.address === host) return address.port;
  server.close();
  throw new LspanError('internal', 'The system bound another address than the requested loopback address.');
}

function cannotListen(cause: unknown, port: number): LspanError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const used = code === 'EADDRINUSE';
  const why = used
    ? `Port ${port} is in use by another program.`
    : `The system does not let lspan listen on port ${port}.`;
  const nextStep = used
    ? `Choose another port with --port, or stop the program that listens on ${port}.`
    : 'Choose another port with --port (above 1023), or another address with --host.';
  // The command line shows only the message.
  return new LspanError(used ? 'busy' : 'refused', `${why} ${nextStep}`, { nextStep, cause });
}

/** Answers a request that Node's parser rejected, and closes the connection. */
function answerMalformedRequest(error: NodeJS.ErrnoException, socket: Duplex, context: HttpContext): void {
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
function answerConnect(socket: Duplex, context: HttpContext): void {
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
