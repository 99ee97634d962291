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

/** Who hears what goes on in the transport of a session. */
export interface SessionTransportListener {
  /** Called right before the SDK sends the answer to a request. */
  readonly onAnswer: (id: RequestId) => void;
  readonly onError: (error: Error) => void;
  /** Called when the client has ended the session. */
  readonly onDeleted: () => Promise<void>;
}

/** The transport of one session, as the SDK's server knows transports: that of the SDK, which we listen to as well. */
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

  /** Has the SDK serve an exchange. */
  async serve(exchange: Exchange): Promise<HttpReply> {
    const { body } = exchange;
    const options = body === undefined ? {} : { parsedBody: body };
    return webReply(await this.#sdk.handleRequest(webRequest(exchange), options));
  }

  /** Answers a request in the place of the SDK's server, where that has one to answer. */
  async answer(message: JSONRPCMessage): Promise<void> {
    await this.#sdk.send(message).catch(() => {});
  }

  /**
   * Lets go of a request that was cancelled. The SDK answers it nothing, and would leave its stream open, and keep its id
   * until it has something to send; with the stream gone that goes nowhere.
   */
  release(id: RequestId): void {
    this.#sdk.closeSSEStream(id);
    void this.answer({ jsonrpc: '2.0', id, result: {} });
  }
}
