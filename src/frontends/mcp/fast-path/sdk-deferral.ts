import type { JSONRPCMessage, JSONRPCRequest, Transport } from '@modelcontextprotocol/server';
import { object, text } from '../../../core/runtime/json.ts';
import { rpcCodes } from '../../../jsonrpc/message.ts';
import type { Offer } from '../offer.ts';
import { dataAnswer } from './data-answers.ts';
import type { StdioFastPath } from './stdio-calls.ts';

/** Whom the opening can ask. */
export interface SdkDeferralOptions {
  /** Connects the SDK to the opening; asked once. */
  readonly callSdk: () => void;
  /** Absent where every call needs what only the SDK can ask the client. */
  readonly calls?: StdioFastPath;
  /** Loads what a call needs; asked when the client has its list. */
  readonly expectCalls: () => void;
  /** Whether something is known of the files of the workspace. */
  readonly knowsFiles: () => boolean;
  /** Hears every message that comes, whoever answers it, and gives why a request is refused. */
  readonly overhear: (message: JSONRPCMessage) => string | undefined;
}

/**
 * Stands between the wire and the SDK while the SDK is not loaded, and answers what every client asks first
 * from data, and plain calls from the bridge: loading the SDK takes nearly as long as starting Node, and some clients
 * connect only to list. The SDK hears of a handshake when it comes; everything out of the ordinary waits for it.
 */
export class SdkDeferral implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #wire: Transport;
  readonly #offer: Offer;
  readonly #helpers: SdkDeferralOptions;
  /** What the SDK has yet to hear, in order. */
  readonly #unheard: JSONRPCMessage[] = [];
  /** Its answer is given; the SDK's own is dropped. */
  #handshake: JSONRPCRequest | undefined;
  #sdk: 'not_needed' | 'called' | 'listening' = 'not_needed';

  constructor(wire: Transport, offer: Offer, helpers: SdkDeferralOptions) {
    this.#wire = wire;
    this.#offer = offer;
    this.#helpers = helpers;
    wire.onmessage = (message) => this.#receive(message);
    wire.onclose = () => {
      helpers.calls?.abandon();
      this.onclose?.();
    };
    wire.onerror = (error) => this.onerror?.(error);
  }

  /** The SDK listens from now on. */
  async start(): Promise<void> {
    this.#sdk = 'listening';
    for (const message of this.#unheard.splice(0)) this.onmessage?.(message);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const isAnswered = this.#handshake && !('method' in message) && message.id === this.#handshake.id;
    if (isAnswered) this.#handshake = undefined;
    else await this.#wire.send(message);
  }

  close(): Promise<void> {
    return this.#wire.close();
  }

  #receive(message: JSONRPCMessage): void {
    const refusal = this.#helpers.overhear(message);
    if (refusal !== undefined && 'method' in message && 'id' in message) this.#refuse(message, refusal);
    else if (this.#helpers.calls?.cancels(message)) return;
    else if (this.#sdk === 'listening') this.onmessage?.(message);
    else if (this.#sdk === 'called' || !this.#settles(message)) this.#leaveToSdk(message);
  }

  #refuse({ id }: JSONRPCRequest, message: string): void {
    const refused = { jsonrpc: '2.0', id, error: { code: rpcCodes.invalidParams, message } } as const;
    this.#wire.send(refused).catch((error) => this.onerror?.(error));
  }

  /** Whether the message needs nothing more for now. */
  #settles(message: JSONRPCMessage): boolean {
    if (!('method' in message)) return false;
    if ('id' in message) return this.#answers(message);
    if (message.method !== 'notifications/initialized') return false;
    this.#unheard.push(message);
    return true;
  }

  #answers(request: JSONRPCRequest): boolean {
    const isHandshake = request.method === 'initialize';
    if (this.#handshake && this.#helpers.calls?.takes(request, clientOf(this.#handshake))) return true;
    const isForSdk =
      (isHandshake && this.#handshake) || (request.method === 'resources/list' && this.#helpers.knowsFiles());
    const result = isForSdk ? undefined : dataAnswer(request, this.#offer);
    if (!result) return false;
    this.#wire.send({ result, jsonrpc: '2.0', id: request.id }).catch((error) => this.onerror?.(error));
    if (isHandshake) {
      this.#handshake = request;
      this.#unheard.push(request);
    }
    // The next thing a client does is to call a tool: what that needs can load while the model thinks.
    if (request.method === 'tools/list') setImmediate(() => this.#prepare());
    return true;
  }

  #prepare(): void {
    if (this.#handshake && this.#helpers.calls) this.#helpers.expectCalls();
    else this.#call();
  }

  #leaveToSdk(message: JSONRPCMessage): void {
    this.#unheard.push(message);
    this.#call();
  }

  #call(): void {
    if (this.#sdk !== 'not_needed') return;
    this.#sdk = 'called';
    this.#helpers.callSdk();
  }
}

function clientOf({ params }: JSONRPCRequest): string | undefined {
  return text(object(params?.clientInfo).name);
}
