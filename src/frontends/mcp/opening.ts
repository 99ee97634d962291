import type { JSONRPCMessage, JSONRPCRequest, Transport } from '@modelcontextprotocol/server';
import type { Offer } from './offer.ts';
import { openingAnswer } from './opening-answers.ts';

/**
 * Stands between the wire and the SDK while the SDK is not loaded, and answers what every client asks first
 * from data: loading the SDK takes nearly as long as starting Node, and some clients connect only to list.
 * The SDK hears of a handshake when it comes; everything out of the ordinary waits for it.
 */
export class Opening implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #wire: Transport;
  readonly #offer: Offer;
  readonly #callSdk: () => void;
  /** What the SDK has yet to hear, in order. */
  readonly #unheard: JSONRPCMessage[] = [];
  /** Its answer is given; the SDK's own is dropped. */
  #handshake: JSONRPCRequest | undefined;
  #sdk: 'not_needed' | 'called' | 'listening' = 'not_needed';

  /** `callSdk` is asked once, to connect the SDK to this transport. */
  constructor(wire: Transport, offer: Offer, callSdk: () => void) {
    this.#wire = wire;
    this.#offer = offer;
    this.#callSdk = callSdk;
    wire.onmessage = (message) => this.#receive(message);
    wire.onclose = () => this.onclose?.();
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
    if (this.#sdk === 'listening') this.onmessage?.(message);
    else if (this.#sdk === 'called' || !this.#settles(message)) this.#leaveToSdk(message);
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
    const result = isHandshake && this.#handshake ? undefined : openingAnswer(request, this.#offer);
    if (!result) return false;
    this.#wire.send({ result, jsonrpc: '2.0', id: request.id }).catch((error) => this.onerror?.(error));
    if (isHandshake) {
      this.#handshake = request;
      this.#unheard.push(request);
    }
    // The next thing a client does is to call a tool: the SDK can load while the model thinks.
    if (request.method === 'tools/list') setImmediate(() => this.#call());
    return true;
  }

  #leaveToSdk(message: JSONRPCMessage): void {
    this.#unheard.push(message);
    this.#call();
  }

  #call(): void {
    if (this.#sdk !== 'not_needed') return;
    this.#sdk = 'called';
    this.#callSdk();
  }
}
