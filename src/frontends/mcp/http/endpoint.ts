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
import { watched, webReply, webRequest } from './web-request.ts';

/** What the endpoint is made of. */
export interface EndpointSettings {
  readonly make: MakeServer;
  readonly fastPath?: FastPath;
  /** What the streams of the 2026 revision follow. */
  readonly follower?: Follower;
  /** Whether the 2025 revisions have sessions. */
  readonly sessions: boolean;
  /** The only revision that is served; all that are known when absent. */
  readonly only?: Revision | undefined;
  readonly log: Log;
}

/** What is followed for all requests of the 2026 revision. */
export interface Follower {
  readonly subscriptions: Subscriptions;
  readonly close: () => void;
}

/** What answers the requests that the door has let in. */
export interface Endpoint {
  readonly serve: Serve;
  /** How many sessions there are. */
  readonly sessions: number;
  /** Tells the streams of the 2026 revision that a resource may have changed. */
  resourceUpdated(uri: string): void;
  /** A token holds no more: what was opened with it ends. */
  forget(holder: string): void;
  close(): Promise<void>;
}

/** Makes the endpoint: one message a request, each by the rules of the revision that it is of. */
export function createEndpoint(settings: EndpointSettings): Endpoint {
  const { make, fastPath, follower, log, only } = settings;
  const closing = new CancelSource();
  const sessions = settings.sessions ? new Sessions({ make, fastPath, log }) : undefined;
  const sdk = createMcpHandler(
    ({ era, authInfo }) =>
      make({ tokenId: authInfo?.clientId ?? '', era: era === 'modern' ? '2026' : '2025-stateless' }).server,
    {
      legacy: sessions ? 'reject' : 'stateless',
      // How many streams there may be is the door's to say, which counts them all.
      maxSubscriptions: limits.http.streams + limits.http.inFlight,
      keepAliveMs: limits.http.streamAlive,
      onerror: (error) => log('debug', 'mcp.error', { error: error.message }),
    },
  );
  const parts = { sdk, fastPath, subscriptions: follower?.subscriptions, closing };
  const in2026 = serve2026(parts);
  const in2025 = (exchange: Exchange, message: JSONRPCMessage | undefined) =>
    sessions ? sessions.serve(exchange, message) : serveStateless(parts, exchange, message);

  return {
    get sessions() {
      return sessions?.count ?? 0;
    },
    async serve(exchange) {
      const { method, body } = exchange;
      // Its body was still on the way when all was closed.
      if (closing.aborted) return stopping(idOf(body));
      const message = method === 'POST' ? readMessage(body) : undefined;
      if (message && 'status' in message) return message;
      const is2026 =
        message !== undefined &&
        ((fastPath && isPlainly2026(exchange, message)) ?? isOf2026(exchange, message));
      const refused = refusedRevision({ exchange, message, is2026, only });
      if (refused) return refused;
      return is2026 ? in2026(exchange, message) : in2025(exchange, message);
    },
    resourceUpdated: (uri) => sdk.notify.resourceUpdated(uri),
    forget: (holder) => sessions?.closeOf(holder),
    async close() {
      closing.abort();
      follower?.close();
      await Promise.all([sdk.close(), sessions?.close()]);
    },
  };
}

function readMessage(body: unknown): JSONRPCMessage | HttpReply {
  if (Array.isArray(body))
    return refuse(400, rpcCodes.invalidRequest, 'One message a request: batches are not read.');
  if (isMessage(body)) return body;
  return refuse(400, rpcCodes.invalidRequest, 'The body is not one JSON-RPC 2.0 message.', {
    id: idOf(body),
  });
}

/** By the SDK's own rule, whatever it then makes of the request. */
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

/** What serves the requests that have no session. */
interface StatelessParts {
  readonly sdk: McpHttpHandler;
  readonly fastPath: FastPath | undefined;
  readonly subscriptions: Subscriptions | undefined;
  readonly closing: CancelSource;
}

/** Each request stands alone, and ends when its connection does. */
function serve2026({
  sdk,
  fastPath,
  subscriptions,
  closing,
}: StatelessParts): (exchange: Exchange, message: JSONRPCMessage) => Promise<HttpReply> {
  let streams = 0;
  const bySdk = async (exchange: Exchange) => {
    const authInfo = { token: '', clientId: exchange.tokenId, scopes: [] };
    const { body: parsedBody, gone } = exchange;
    const reply = await webReply(
      await sdk.fetch(webRequest(exchange, gone.signal), { parsedBody, authInfo }),
    );
    return withoutEcho(reply, idOf(parsedBody));
  };
  const listen = async (exchange: Exchange, message: JSONRPCRequest) => {
    // Ids are the client's own, and may be those of another's.
    streams += 1;
    const key = `stream ${streams}`;
    const refusal = subscriptions?.overhear({ ...message, id: key });
    if (refusal !== undefined) return refuse(400, rpcCodes.invalidParams, refusal, { id: message.id });
    const onEnd = () => subscriptions?.end(key);
    const reply = await bySdk(exchange).catch((error) => {
      onEnd();
      throw error;
    });
    if (reply.body instanceof ReadableStream)
      return { ...reply, streaming: true, body: watched(reply.body, { onEnd }) };
    onEnd();
    return reply;
  };
  return async (exchange, message) => {
    const request = requestIn(message);
    if (!request) return bySdk(exchange);
    if (request.method === 'subscriptions/listen') return listen(exchange, request);
    const caller = { era: '2026', scope: exchange.tokenId } as const;
    const answer = isMirrored(exchange, request) ? fastPath?.(request, caller) : undefined;
    return answer ? replyFast(request, answer, exchange.gone, closing) : bySdk(exchange);
  };
}

/** A request of the 2025 revisions without a session: it stands alone too, but goes on when the client hangs up. */
async function serveStateless(
  { sdk, fastPath, closing }: StatelessParts,
  exchange: Exchange,
  message: JSONRPCMessage | undefined,
): Promise<HttpReply> {
  const { tokenId, body: parsedBody } = exchange;
  const request = requestIn(message);
  const answer = request && fastPath?.(request, { era: '2025-stateless', scope: tokenId });
  if (answer) return replyFast(request, answer, closing, closing);
  const authInfo = { token: '', clientId: tokenId, scopes: [] };
  const reply = await webReply(
    await sdk.fetch(webRequest(exchange, closing.signal), { parsedBody, authInfo }),
  );
  if (!(reply.body instanceof ReadableStream)) return reply;
  return { ...reply, body: watched(reply.body, { onEnd: () => {}, drained: true }) };
}

/** Where headers and body disagree the SDK repeats both, which is for nobody to hear. */
function withoutEcho(reply: HttpReply, id: RequestId | undefined): HttpReply {
  if (reply.status !== 400 || typeof reply.body !== 'string') return reply;
  const { error } = JSON.parse(reply.body);
  return error?.code === mcpCodes.headerMismatch
    ? refuse(400, mcpCodes.headerMismatch, disagree, { id })
    : reply;
}

const disagree = 'MCP-Protocol-Version, Mcp-Method and Mcp-Name must be there and say what the body says.';

/** A call that fails because lspan stops was not cancelled by who asked. */
async function replyFast(
  request: JSONRPCRequest,
  answer: FastAnswer,
  signal: CancelSource,
  closing: CancelSource,
): Promise<HttpReply> {
  const reply = await replyTo(request, answer.run(signal));
  const hasFailed = 'error' in reply || reply.result.isError === true;
  if (closing.aborted && hasFailed) return stopping(request.id);
  return { status: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(reply) };
}

function stopping(id: RequestId | undefined): HttpReply {
  return refuse(503, rpcCodes.serverError, refusals.leaving.message, { id });
}
