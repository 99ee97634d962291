import {
  type JSONRPCMessage,
  WebStandardStreamableHTTPServerTransport as SdkTransport,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';
import { limits } from '../../../core/limits.ts';
import type { RequestId } from '../../../jsonrpc/message.ts';
import type { Exchange, HttpReply } from '../../http/exchange.ts';
import { webReply, webRequest } from './web-request.ts';

/** Listens to the transport of a session. */
export interface SessionTransportListener {
  /** Called right before the SDK sends the answer to a request. */
  readonly onAnswer: (id: RequestId) => void;
  readonly onError: (error: Error) => void;
  /** Called when the client has ended the session. */
  readonly onDeleted: () => Promise<void>;
}

/** The transport of one session for the SDK's server: wraps the SDK's own, to observe its messages. */
export class SessionTransport implements Transport {
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
