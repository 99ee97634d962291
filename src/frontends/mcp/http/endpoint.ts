import {
  classifyInboundRequest,
  createMcpHandler,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type McpHttpHandler,
} from '@modelcontextprotocol/server';
import { limits } from '../../../core/limits.ts';
import type { Log } from '../../../core/log.ts';
import { CancelSource } from '../../../core/runtime/cancellation.ts';
import { idOf, mcpCodes, type RequestId, rpcCodes } from '../../../jsonrpc/message.ts';
import type { Exchange, HttpReply, Serve } from '../../http/exchange.ts';
import { refusals } from '../../http/refusals.ts';
import { type FastAnswer, type FastPath, replyTo } from '../fast-path/fast-path.ts';
import { isMessage } from '../parse-message.ts';
import type { Subscriptions } from '../subscriptions.ts';
import type { MakeServer } from './make-server.ts';
import { isMirrored, isPlainly2026, type Revision, refusedRevision, requestIn } from './protocol-version.ts';
import { refuse } from './refuse.ts';
import { Sessions } from './session-store.ts';
import { untilItsEnd, watched, webReply, webRequest } from './web-request.ts';

/** The settings of the endpoint. */
export interface EndpointSettings {
  readonly make: MakeServer;
  readonly fastPath?: FastPath;
  /** Serves the subscriptions of streams of the 2026 revision. */
  readonly follower?: Follower;
  /** True if the 2025 revisions have sessions. */
  readonly sessions: boolean;
  /** True if a session answers only `ping` before `notifications/initialized`. */
  readonly awaitsInitialized?: boolean;
  /** The only revision that is served; default all known ones. */
  readonly only?: Revision | undefined;
  readonly log: Log;
}

/** The subscriptions of all requests of the 2026 revision. */
interface Follower {
  readonly subscriptions: Subscriptions;
  readonly close: () => void;
}

/** Answers admitted HTTP requests: one message each, by the rules of its protocol revision. */
export class Endpoint {
  readonly #settings: EndpointSettings;
  readonly #sessions: Sessions | undefined;
  readonly #sdk: McpHttpHandler;
  readonly #closing = new CancelSource();
  /** The number of streams opened so far in the 2026 revision. */
  #streams = 0;

  constructor(settings: EndpointSettings) {
    const { make, sessions, log } = settings;
    this.#settings = settings;
    this.#sessions = sessions ? new Sessions(settings) : undefined;
    this.#sdk = createMcpHandler(
      ({ era, authInfo }) =>
        make({ tokenId: authInfo?.clientId ?? '', era: era === 'modern' ? '2026' : '2025-stateless' }).server,
      {
        legacy: sessions ? 'reject' : 'stateless',
        // The HTTP server limits the number of streams, as it counts them all.
        maxSubscriptions: limits.http.streams + limits.http.inFlight,
        keepAliveMs: limits.http.streamAlive,
        onerror: (error) => log('debug', 'mcp.error', { error: error.message }),
      },
    );
  }

  get sessions(): number {
    return this.#sessions?.count ?? 0;
  }

  readonly serve: Serve = async (exchange) => {
    const { method, body } = exchange;
    // The body was still being received when the endpoint closed.
    if (this.#closing.aborted) return stopping(idOf(body));
    const message = method === 'POST' ? readMessage(body) : undefined;
    if (message && 'status' in message) return message;
    const { fastPath, only } = this.#settings;
    const is2026 =
      message !== undefined &&
      ((fastPath && isPlainly2026(exchange, message)) ?? isOf2026(exchange, message));
    const refused = refusedRevision({ exchange, message, is2026, only });
    if (refused) return refused;
    if (is2026) return this.#serve2026(exchange, requestIn(message));
    return this.#sessions?.serve(exchange, message) ?? this.#serveStateless(exchange, requestIn(message));
  };

  /** Notifies the streams of the 2026 revision that a resource may have changed. */
  resourceUpdated(uri: string): void {
    this.#sdk.notify.resourceUpdated(uri);
  }

  /** Closes the sessions of a revoked token. */
  forget(tokenId: string): void {
    this.#sessions?.closeOf(tokenId);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#settings.follower?.close();
    await Promise.all([this.#sdk.close(), this.#sessions?.close()]);
  }

  /** Each request is independent, and is aborted when its connection closes. */
  #serve2026(exchange: Exchange, request: JSONRPCRequest | undefined): Promise<HttpReply> {
    if (request?.method === 'subscriptions/listen') return this.#listen(exchange, request);
    const caller = { era: '2026', scope: exchange.tokenId } as const;
    const isUsual = request && isMirrored(exchange, request);
    const answer = isUsual && this.#settings.fastPath?.(request, caller);
    return answer ? this.#replyFast(request, answer, exchange.gone) : this.#in2026BySdk(exchange);
  }

  async #listen(exchange: Exchange, request: JSONRPCRequest): Promise<HttpReply> {
    const subscriptions = this.#settings.follower?.subscriptions;
    // Clients choose their ids, which may equal those of another client.
    this.#streams += 1;
    const key = `stream ${this.#streams}`;
    const refusal = await subscriptions?.overhear({ ...request, id: key });
    if (refusal !== undefined) return refuse(400, rpcCodes.invalidParams, refusal, request.id);
    const work = () => this.#in2026BySdk(exchange);
    const reply = await untilItsEnd(work, () => subscriptions?.end(key));
    return reply.body instanceof ReadableStream ? { ...reply, streaming: true } : reply;
  }

  async #in2026BySdk(exchange: Exchange): Promise<HttpReply> {
    return withoutEcho(await this.#bySdk(exchange, exchange.gone), idOf(exchange.body));
  }

  /** Serves a 2025 request without a session: independent too, but it survives a lost connection. */
  async #serveStateless(exchange: Exchange, request: JSONRPCRequest | undefined): Promise<HttpReply> {
    const caller = { era: '2025-stateless', scope: exchange.tokenId } as const;
    const answer = request && this.#settings.fastPath?.(request, caller);
    if (answer) return this.#replyFast(request, answer, this.#closing);
    const reply = await this.#bySdk(exchange, this.#closing);
    if (!(reply.body instanceof ReadableStream)) return reply;
    return { ...reply, body: watched(reply.body, { onEnd: () => {}, drained: true }) };
  }

  async #bySdk(exchange: Exchange, { signal }: CancelSource): Promise<HttpReply> {
    const authInfo = { token: '', clientId: exchange.tokenId, scopes: [] };
    const options = { parsedBody: exchange.body, authInfo };
    return webReply(await this.#sdk.fetch(webRequest(exchange, signal), options));
  }

  /** A call that fails because lspan stops was not cancelled by the caller. */
  async #replyFast(request: JSONRPCRequest, answer: FastAnswer, signal: CancelSource): Promise<HttpReply> {
    const reply = await replyTo(request, answer.run(signal));
    const hasFailed = 'error' in reply || reply.result.isError === true;
    if (this.#closing.aborted && hasFailed) return stopping(request.id);
    return { status: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(reply) };
  }
}

function readMessage(body: unknown): JSONRPCMessage | HttpReply {
  if (Array.isArray(body))
    return refuse(400, rpcCodes.invalidRequest, 'Send one message per request, not a batch.');
  if (isMessage(body)) return body;
  return refuse(400, rpcCodes.invalidRequest, 'The body is not one JSON-RPC 2.0 message.', idOf(body));
}

/** Uses the SDK's own rule, even if the SDK then refuses the request. */
function isOf2026({ headers, method }: Exchange, body: JSONRPCMessage): boolean {
  const [version, called, name] = ['mcp-protocol-version', 'mcp-method', 'mcp-name'].map((one) =>
    headers.get(one),
  );
  const outcome = classifyInboundRequest({
    httpMethod: method,
    body,
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(called !== undefined && { mcpMethodHeader: called }),
    ...(name !== undefined && { mcpNameHeader: name }),
  });
  return outcome.kind !== 'legacy';
}

/** If headers and body disagree, the SDK's error echoes both, which no client should get. */
function withoutEcho(reply: HttpReply, id: RequestId | undefined): HttpReply {
  if (reply.status !== 400 || typeof reply.body !== 'string') return reply;
  const { error } = JSON.parse(reply.body);
  return error?.code === mcpCodes.headerMismatch ? refuse(400, mcpCodes.headerMismatch, disagree, id) : reply;
}

const disagree = 'MCP-Protocol-Version, Mcp-Method and Mcp-Name are required and must match the body.';

function stopping(id: RequestId | undefined): HttpReply {
  return refuse(503, rpcCodes.serverError, refusals.leaving.message, id);
}
