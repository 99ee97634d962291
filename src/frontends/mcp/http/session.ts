import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  WebStandardStreamableHTTPServerTransport as SdkTransport,
  type Server,
} from '@modelcontextprotocol/server';
import { limits } from '../../../core/limits.ts';
import { CancelSource } from '../../../core/runtime/cancellation.ts';
import { idOf, mcpCodes, type RequestId, rpcCodes } from '../../../jsonrpc/message.ts';
import type { Exchange, HttpReply } from '../../http/exchange.ts';
import { type HttpFastPath, plainReply } from '../fast-path/http-calls.ts';
import { refuse } from './refuse.ts';
import { eventStream, watched, webReply, webRequest } from './web-request.ts';

/** What a session is made of. */
export interface HttpSessionOptions {
  readonly id: string;
  readonly tokenId: string;
  /** The client's own name. */
  readonly client: string | undefined;
  readonly server: Server;
  readonly plain: HttpFastPath | undefined;
  readonly onError: (error: Error) => void;
  /** Milliseconds. */
  readonly now: () => number;
  /** Called when the client has opened the stream of what nobody asked for. */
  readonly onListener: () => void;
  /** Called once, whoever ended it. */
  readonly onClose: () => void;
}

/**
 * One session of the 2025 revisions. A connection that breaks off cancels nothing there; a notification does. Replies
 * belong to their request by its id, so an id is not taken twice while its request is being answered.
 */
export class HttpSession {
  readonly tokenId: string;
  /** When an exchange last began or ended. */
  used: number;
  readonly #parts: HttpSessionOptions;
  readonly #transport: SdkTransport;
  readonly #send: SdkTransport['send'];
  /** How many exchanges are going on, streams included. */
  #exchanges = 0;
  /** The requests that are being answered; those without the SDK can be aborted here. */
  readonly #running = new Map<RequestId, CancelSource | undefined>();
  #closed = false;

  constructor(parts: HttpSessionOptions) {
    this.tokenId = parts.tokenId;
    this.used = parts.now();
    this.#parts = parts;
    this.#transport = new SdkTransport({
      sessionIdGenerator: () => parts.id,
      keepAliveMs: limits.http.streamAlive,
      onsessionclosed: () => this.close(),
    });
    this.#send = this.#transport.send.bind(this.#transport);
    this.#transport.send = (message, options) => {
      if (!('method' in message) && message.id !== undefined) this.#running.delete(message.id);
      return this.#send(message, options);
    };
  }

  /** Whether nothing goes on in it: no exchange, and no call whose client has hung up. */
  get rests(): boolean {
    return this.#exchanges === 0 && this.#running.size === 0;
  }

  /** Connects the SDK's server and answers the request that opened the session. */
  async open(exchange: Exchange): Promise<HttpReply> {
    await this.#parts.server.connect(this.#transport);
    this.#transport.onerror = this.#parts.onError;
    return this.#counted(() => this.#bySdk(exchange));
  }

  serve(exchange: Exchange, message: JSONRPCMessage | undefined): Promise<HttpReply> {
    return this.#counted(async () => {
      if (this.#closed) return endedReply(idOf(message));
      if (exchange.method === 'GET') return this.#listen(exchange);
      if (message === undefined || !('method' in message)) return this.#bySdk(exchange);
      if (!('id' in message)) {
        if (message.method === 'notifications/cancelled') this.#cancel(message.params?.requestId);
        return this.#bySdk(exchange);
      }
      if (this.#running.has(message.id)) return alreadyAsked(message);
      return (await this.#plainly(message)) ?? this.#asked(exchange, message);
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const running = [...this.#running];
    for (const [, end] of running) end?.abort();
    this.#parts.onClose();
    // Whoever reads a stream of the SDK would wait for an answer that never comes.
    const left = running.filter(([, end]) => end === undefined);
    await Promise.all(left.map(([id]) => this.#send(endedAnswer(id)).catch(() => {})));
    await this.#parts.server.close();
  }

  async #listen(exchange: Exchange): Promise<HttpReply> {
    const reply = await this.#bySdk(exchange);
    if (reply.status === 200) this.#parts.onListener();
    return reply;
  }

  /** The call goes on when the client hangs up: only a notification cancels it, and then it has no answer. */
  async #plainly(request: JSONRPCRequest): Promise<HttpReply | undefined> {
    const { plain, tokenId, client, id } = this.#parts;
    const end = new CancelSource();
    const answering = plain?.older(request, { tokenId, client, signal: end });
    if (!answering) return undefined;
    this.#running.set(request.id, end);
    const body = await plainReply(request, answering);
    if (this.#running.get(request.id) === end) this.#running.delete(request.id);
    const headers = { 'Content-Type': 'application/json', 'Mcp-Session-Id': id };
    if (this.#closed) return endedReply(request.id);
    if (end.aborted) return { status: 200, headers: { ...headers, 'Content-Type': eventStream }, body: '' };
    return { status: 200, headers, body };
  }

  async #asked(exchange: Exchange, { id }: JSONRPCRequest): Promise<HttpReply> {
    if (this.#closed) return endedReply(id);
    this.#running.set(id, undefined);
    const reply = await this.#bySdk(exchange);
    // What the SDK answers at once it does not send, and the id would be taken for ever.
    if (!(reply.body instanceof ReadableStream)) this.#running.delete(id);
    return reply;
  }

  async #bySdk(exchange: Exchange): Promise<HttpReply> {
    const { body } = exchange;
    const response = await this.#transport.handleRequest(
      webRequest(exchange),
      body === undefined ? {} : { parsedBody: body },
    );
    const reply = await webReply(response);
    if (!this.#closed || !(reply.body instanceof ReadableStream)) return reply;
    // It ended before the SDK had a stream to say so, on which nobody would ever write now.
    await reply.body.cancel();
    return endedReply(idOf(body));
  }

  #cancel(request: unknown): void {
    if (typeof request !== 'string' && typeof request !== 'number') return;
    this.#running.get(request)?.abort();
    this.#running.delete(request);
    // The SDK answers a cancelled request nothing, and would leave its stream open, and keep its id until it has
    // something to send; with the stream gone that goes nowhere.
    this.#transport.closeSSEStream(request);
    this.#send({ jsonrpc: '2.0', id: request, result: {} }).catch(() => {});
  }

  async #counted(work: () => Promise<HttpReply>): Promise<HttpReply> {
    this.#exchanges += 1;
    this.used = this.#parts.now();
    const onEnd = () => {
      this.#exchanges -= 1;
      this.used = this.#parts.now();
    };
    const reply = await work().catch((error) => {
      onEnd();
      throw error;
    });
    const { body } = reply;
    if (body instanceof ReadableStream) return { ...reply, body: watched(body, { onEnd }) };
    onEnd();
    return reply;
  }
}

const jsonType = { 'Content-Type': 'application/json' };

function endedReply(id: RequestId | undefined): HttpReply {
  return { status: 404, headers: jsonType, body: JSON.stringify(endedAnswer(id ?? null)) };
}

function endedAnswer<T extends RequestId | null>(id: T) {
  const error = {
    code: mcpCodes.sessionNotFound,
    message: 'The session has ended: open another by initialize.',
  };
  return { jsonrpc: '2.0', error, id } as const;
}

function alreadyAsked({ id }: JSONRPCRequest): HttpReply {
  return refuse(400, rpcCodes.invalidRequest, 'A request of this id is being answered in this session.', {
    id,
  });
}
