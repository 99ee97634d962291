import {
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  WebStandardStreamableHTTPServerTransport as SdkTransport,
  type Server,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';
import { limits } from '../../../core/limits.ts';
import { CallInProgress, CallsInProgress } from '../../../core/runtime/calls-in-progress.ts';
import { idOf, mcpCodes, type RequestId, rpcCodes } from '../../../jsonrpc/message.ts';
import type { Exchange, HttpReply } from '../../http/exchange.ts';
import { type FastAnswer, type FastPath, replyTo } from '../fast-path/fast-path.ts';
import type { ToldDoubts } from '../told-doubts.ts';
import { refuse } from './refuse.ts';
import { eventStream, untilItsEnd, webReply, webRequest } from './web-request.ts';

/** The dependencies of a session. */
interface HttpSessionOptions {
  readonly id: string;
  readonly tokenId: string;
  /** The name in the client's `clientInfo`. */
  readonly client: string | undefined;
  readonly server: Server;
  readonly fastPath: FastPath | undefined;
  readonly told: ToldDoubts;
  /** True if only `ping` is answered before the client has sent `notifications/initialized`. */
  readonly awaitsInitialized: boolean;
  readonly onError: (error: Error) => void;
  /** Returns milliseconds. */
  readonly now: () => number;
  /** Called when the client has opened the stream for unsolicited messages. */
  readonly onListener: () => void;
  /** Called once, whether the client or lspan ended the session. */
  readonly onClose: () => void;
}

/**
 * One session of the 2025 revisions. A notification cancels a request, a lost connection does not. Replies
 * match their request by id, so an id cannot be used again while its request is in progress.
 */
export class HttpSession {
  readonly tokenId: string;
  /** When an exchange last began or ended. */
  used: number;
  readonly #parts: HttpSessionOptions;
  readonly #transport: SessionTransport;
  /** The number of exchanges in progress, including streams. */
  #exchanges = 0;
  /** The requests in progress, with the SDK or without it. */
  readonly #requests = new CallsInProgress();
  #closed = false;
  #isInitialized = false;

  constructor(parts: HttpSessionOptions) {
    this.tokenId = parts.tokenId;
    this.used = parts.now();
    this.#parts = parts;
    this.#transport = new SessionTransport(parts.id, {
      onAnswer: (id) => this.#requests.remove(this.#requests.find(id)),
      onError: parts.onError,
      onDeleted: () => this.close(),
    });
  }

  /** True if the session is idle: no exchange, and no call whose client has disconnected. */
  get rests(): boolean {
    return this.#exchanges === 0 && this.#requests.count === 0;
  }

  /** Connects the SDK's server and answers the request that opened the session. */
  async open(exchange: Exchange): Promise<HttpReply> {
    await this.#parts.server.connect(this.#transport);
    return this.#counted(() => this.#bySdk(exchange));
  }

  serve(exchange: Exchange, message: JSONRPCMessage | undefined): Promise<HttpReply> {
    return this.#counted(async () => {
      if (this.#closed) return endedReply(idOf(message));
      if (exchange.method === 'GET') return this.#listen(exchange);
      if (message === undefined || !('method' in message)) return this.#bySdk(exchange);
      if (!('id' in message)) {
        this.#hear(message);
        return this.#bySdk(exchange);
      }
      const refused = this.#refuse(message);
      if (refused) return refused;
      const { fastPath, tokenId: scope, client, told } = this.#parts;
      const answer = fastPath?.(message, { era: '2025-session', client, scope, told });
      return answer ? this.#replyFast(message, answer) : this.#asked(exchange, message);
    });
  }

  #hear({ method, params }: JSONRPCNotification): void {
    if (method === 'notifications/cancelled') this.#cancel(params?.requestId);
    if (method === 'notifications/initialized') this.#isInitialized = true;
  }

  #refuse(request: JSONRPCRequest): HttpReply | undefined {
    const isEarly = this.#parts.awaitsInitialized && !this.#isInitialized;
    if (isEarly && request.method !== 'ping') return notInitialized(request);
    return this.#requests.find(request.id) ? alreadyAsked(request) : undefined;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const left = [...this.#requests].flatMap(({ id }) => id ?? []);
    void this.#requests.end();
    this.#parts.onClose();
    // A client that reads a stream of the SDK would wait for an answer that never comes.
    await Promise.all(left.map((id) => this.#transport.answer({ jsonrpc: '2.0', error: ended, id })));
    await this.#parts.server.close();
  }

  async #listen(exchange: Exchange): Promise<HttpReply> {
    const reply = await this.#bySdk(exchange);
    if (reply.status === 200) this.#parts.onListener();
    return reply;
  }

  /** The call survives a lost connection: only a notification cancels it, and then it has no answer. */
  async #replyFast(request: JSONRPCRequest, answer: FastAnswer): Promise<HttpReply> {
    const call = this.#requests.add(new CallInProgress({ id: request.id }));
    const body = JSON.stringify(await replyTo(request, answer.run(call)));
    this.#requests.remove(call);
    const headers = { 'Content-Type': 'application/json', 'Mcp-Session-Id': this.#parts.id };
    if (this.#closed) return endedReply(request.id);
    if (call.aborted) return { status: 200, headers: { ...headers, 'Content-Type': eventStream }, body: '' };
    return { status: 200, headers, body };
  }

  async #asked(exchange: Exchange, { id }: JSONRPCRequest): Promise<HttpReply> {
    const call = this.#requests.add(new CallInProgress({ id }));
    const reply = await this.#bySdk(exchange);
    // The SDK does not `send` an immediate answer, so the id would stay in use forever.
    if (!(reply.body instanceof ReadableStream)) this.#requests.remove(call);
    return reply;
  }

  async #bySdk(exchange: Exchange): Promise<HttpReply> {
    const reply = await this.#transport.serve(exchange);
    if (!this.#closed || !(reply.body instanceof ReadableStream)) return reply;
    // The session ended before the SDK had a stream to report it, and the stream would never be written to.
    await reply.body.cancel();
    return endedReply(idOf(exchange.body));
  }

  #cancel(request: unknown): void {
    if (typeof request !== 'string' && typeof request !== 'number') return;
    const call = this.#requests.find(request);
    call?.abort();
    this.#requests.remove(call);
    this.#transport.release(request);
  }

  #counted(work: () => Promise<HttpReply>): Promise<HttpReply> {
    this.#exchanges += 1;
    this.used = this.#parts.now();
    return untilItsEnd(work, () => {
      this.#exchanges -= 1;
      this.used = this.#parts.now();
    });
  }
}

const ended = {
  code: mcpCodes.sessionNotFound,
  message: 'The session has ended: open another by initialize.',
};

function endedReply(id: RequestId | undefined): HttpReply {
  return refuse(404, ended.code, ended.message, id);
}

function notInitialized({ id }: JSONRPCRequest): HttpReply {
  return refuse(400, rpcCodes.invalidRequest, 'Send notifications/initialized first.', id);
}

function alreadyAsked({ id }: JSONRPCRequest): HttpReply {
  return refuse(400, rpcCodes.invalidRequest, 'A request with this id is in progress in this session.', id);
}

/** Listens to the transport of a session. */
interface SessionTransportListener {
  /** Called right before the SDK sends the answer to a request. */
  readonly onAnswer: (id: RequestId) => void;
  readonly onError: (error: Error) => void;
  /** Called when the client has ended the session. */
  readonly onDeleted: () => Promise<void>;
}

/** The transport of one session for the SDK's server: wraps the SDK's own, to observe its messages. */
class SessionTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #sdk: SdkTransport;
  readonly #listener: SessionTransportListener;

  constructor(id: string, listener: SessionTransportListener) {
    this.#listener = listener;
    this.#sdk = new SdkTransport({
      sessionIdGenerator: () => id,
      keepAliveMs: limits.http.streamAlive,
      onsessionclosed: () => listener.onDeleted(),
    });
    this.#sdk.onclose = () => this.onclose?.();
    this.#sdk.onerror = listener.onError;
    this.#sdk.onmessage = (message, extra) => this.onmessage?.(message, extra);
  }

  get sessionId(): string | undefined {
    return this.#sdk.sessionId;
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.#sdk.setSupportedProtocolVersions(versions);
  }

  start(): Promise<void> {
    return this.#sdk.start();
  }

  send(message: JSONRPCMessage, { relatedRequestId }: TransportSendOptions = {}): Promise<void> {
    if (!('method' in message) && message.id !== undefined) this.#listener.onAnswer(message.id);
    return this.#sdk.send(message, relatedRequestId === undefined ? {} : { relatedRequestId });
  }

  close(): Promise<void> {
    return this.#sdk.close();
  }

  /** Passes an exchange to the SDK. */
  async serve(exchange: Exchange): Promise<HttpReply> {
    const { body } = exchange;
    const options = body === undefined ? {} : { parsedBody: body };
    return webReply(await this.#sdk.handleRequest(webRequest(exchange), options));
  }

  /** Answers a request instead of the SDK's server, if the request is still open. */
  async answer(message: JSONRPCMessage): Promise<void> {
    await this.#sdk.send(message).catch(() => {});
  }

  /**
   * Releases a cancelled request. The SDK does not answer it, and would keep its stream open, and its id
   * until something is sent; with the stream closed, the result sent here goes nowhere.
   */
  release(id: RequestId): void {
    this.#sdk.closeSSEStream(id);
    void this.answer({ jsonrpc: '2.0', id, result: {} });
  }
}
