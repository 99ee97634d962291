import {
  classifyInboundRequest,
  createMcpHandler,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type McpHttpHandler,
  type Result,
} from '@modelcontextprotocol/server';
import { limits } from '../../../core/limits.ts';
import type { Log } from '../../../core/log.ts';
import { CancelSource } from '../../../core/runtime/cancellation.ts';
import { idOf, mcpCodes, type RequestId, rpcCodes } from '../../../jsonrpc/message.ts';
import type { Exchange, HttpReply, Serve } from '../../http/exchange.ts';
import { refusals } from '../../http/refusals.ts';
import { type HttpFastPath, plainReply } from '../fast-path/http-calls.ts';
import { isMessage } from '../parse-message.ts';
import type { Subscriptions } from '../subscriptions.ts';
import type { MakeServer } from './make-server.ts';
import { plainlyModern, type Revision, refusedRevision } from './protocol-version.ts';
import { refuse } from './refuse.ts';
import { Sessions } from './session-store.ts';
import { watched, webReply, webRequest } from './web-request.ts';

/** What the endpoint is made of. */
export interface EndpointSettings {
  readonly make: MakeServer;
  /** What is answered without the SDK. */
  readonly plain?: HttpFastPath;
  /** What the streams of the 2026 revision follow; told through `notify`. */
  readonly follow?: (tell: (uri: string) => void) => Follower;
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
  /** A token holds no more: what was opened with it ends. */
  forget(holder: string): void;
  close(): Promise<void>;
}

/** Makes the endpoint: one message a request, each by the rules of the revision that it is of. */
export function createEndpoint(settings: EndpointSettings): Endpoint {
  const { make, plain, log, only } = settings;
  const closing = new CancelSource();
  const sessions = settings.sessions ? new Sessions({ make, plain, log }) : undefined;
  const sdk = createMcpHandler(
    ({ era, authInfo }) =>
      make({ tokenId: authInfo?.clientId ?? '', era: era === 'modern' ? 'modern' : 'alone' }).server,
    {
      legacy: sessions ? 'reject' : 'stateless',
      // How many streams there may be is the door's to say, which counts them all.
      maxSubscriptions: limits.http.streams + limits.http.inFlight,
      keepAliveMs: limits.http.streamAlive,
      onerror: (error) => log('debug', 'mcp.error', { error: error.message }),
    },
  );
  const follower = settings.follow?.((uri) => sdk.notify.resourceUpdated(uri));
  const modern = modernServe(sdk, plain, follower?.subscriptions, closing);
  const older = (exchange: Exchange, message: JSONRPCMessage | undefined) =>
    sessions ? sessions.serve(exchange, message) : alone(sdk, plain, exchange, message, closing);

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
      const isModern =
        message !== undefined &&
        ((plain && plainlyModern(exchange, message)) ?? isOfModern(exchange, message));
      const refused = refusedRevision({ exchange, message, isModern, only });
      if (refused) return refused;
      return isModern ? modern(exchange, message) : older(exchange, message);
    },
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
function isOfModern({ headers, method }: Exchange, body: JSONRPCMessage): boolean {
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

/** Each request stands alone, and ends when its connection does. */
function modernServe(
  sdk: McpHttpHandler,
  plain: HttpFastPath | undefined,
  subscriptions: Subscriptions | undefined,
  closing: CancelSource,
): (exchange: Exchange, message: JSONRPCMessage) => Promise<HttpReply> {
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
    if (!('method' in message && 'id' in message)) return bySdk(exchange);
    if (message.method === 'subscriptions/listen') return listen(exchange, message);
    const answering = plain?.modern(message, exchange);
    return answering ? plainly(message, answering, closing) : bySdk(exchange);
  };
}

/** A request of the 2025 revisions without a session: it stands alone too, but goes on when the client hangs up. */
async function alone(
  sdk: McpHttpHandler,
  plain: HttpFastPath | undefined,
  exchange: Exchange,
  message: JSONRPCMessage | undefined,
  closing: CancelSource,
): Promise<HttpReply> {
  const { tokenId, body: parsedBody } = exchange;
  if (message && 'method' in message && 'id' in message) {
    const answering = plain?.older(message, { tokenId: tokenId, client: undefined, signal: closing });
    if (answering) return plainly(message, answering, closing);
  }
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
async function plainly(
  request: JSONRPCRequest,
  answering: Promise<Result>,
  closing: CancelSource,
): Promise<HttpReply> {
  const failing = answering.then(
    ({ isError }) => isError === true,
    () => true,
  );
  const body = await plainReply(request, answering);
  if (closing.aborted && (await failing)) return stopping(request.id);
  return { status: 200, headers: { 'Content-Type': 'application/json' }, body };
}

function stopping(id: RequestId | undefined): HttpReply {
  return refuse(503, rpcCodes.serverError, refusals.leaving.message, { id });
}
