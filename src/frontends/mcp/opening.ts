import type {
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  Result,
  Transport,
} from '@modelcontextprotocol/server';
import type { Offer } from './offer.ts';

/**
 * Stands between the wire and the SDK while the SDK is not loaded, and answers what every client of the
 * 2025 revisions asks first (`initialize`, `ping`, `tools/list`) from data. Loading the SDK takes nearly as
 * long as starting Node, and some clients connect only to list. The SDK hears of the handshake when it
 * comes; everything else, odd openings and the 2026 revision included, waits for it.
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
    if (this.#handshake && isAnswer(message) && message.id === this.#handshake.id)
      this.#handshake = undefined;
    else await this.#wire.send(message);
  }

  close(): Promise<void> {
    return this.#wire.close();
  }

  #receive(message: JSONRPCMessage): void {
    if (this.#sdk === 'listening') this.onmessage?.(message);
    else if (this.#sdk === 'called' || !this.#answers(message)) this.#leaveToSdk(message);
  }

  #answers(message: JSONRPCMessage): boolean {
    if (isAnswer(message)) return false;
    if (!('id' in message)) return this.#notes(message);
    const result = this.#resultOf(message);
    if (result)
      this.#wire.send({ result, jsonrpc: '2.0', id: message.id }).catch((error) => this.onerror?.(error));
    return result !== undefined;
  }

  #notes(notification: JSONRPCNotification): boolean {
    if (notification.method !== 'notifications/initialized') return false;
    this.#unheard.push(notification);
    return true;
  }

  #resultOf(request: JSONRPCRequest): Result | undefined {
    if (request.method === 'initialize') return this.#initialize(request);
    if (!this.#handshake || !isPlain(request.params)) return undefined;
    if (request.method === 'ping') return {};
    if (request.method !== 'tools/list') return undefined;
    // The next thing a client does is to call a tool: the SDK can load while the model thinks.
    setImmediate(() => this.#call());
    return { tools: this.#offer.tools };
  }

  #initialize(request: JSONRPCRequest): Result | undefined {
    const { protocolVersion, capabilities, clientInfo, ...others } = request.params ?? {};
    const known = typeof protocolVersion === 'string' && revisions.has(protocolVersion);
    if (this.#handshake || !known || !capabilities || !clientInfo || !isPlain(others)) return undefined;
    this.#handshake = request;
    this.#unheard.push(request);
    const { tools, ...identity } = this.#offer;
    return { protocolVersion, ...identity };
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

/** The revisions that open with `initialize` and whose answers to it and to `tools/list` are alike. */
const revisions: ReadonlySet<string> = new Set(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']);

function isAnswer(
  message: JSONRPCMessage,
): message is Exclude<JSONRPCMessage, JSONRPCRequest | JSONRPCNotification> {
  return !('method' in message);
}

/** No cursor, and no `_meta` that could claim another revision. */
function isPlain(params: JSONRPCRequest['params']): boolean {
  return Object.entries(params ?? {}).every(
    ([key, value]) => key === '_meta' && Object.keys(value ?? {}).every((name) => name === 'progressToken'),
  );
}
