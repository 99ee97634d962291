import type { JSONRPCMessage, JSONRPCRequest, Transport } from '@modelcontextprotocol/server';
import { CallInProgress, CallsInProgress } from '../../../core/runtime/calls-in-progress.ts';
import { object, text } from '../../../core/runtime/json.ts';
import { isId, type RequestId, rpcCodes } from '../../../jsonrpc/message.ts';
import type { Notify } from '../progress.ts';
import { type FastAnswer, type FastPath, replyTo } from './fast-path.ts';

/** The dependencies of the deferral. */
interface SdkDeferralOptions {
  readonly fastPath: FastPath;
  /** Connects the SDK to the deferral; called once. */
  readonly callSdk: () => void;
  /** Loads what a call needs, once the client has its list; absent if calls need the SDK. */
  readonly expectCalls?: () => void;
  /** Sees every incoming message, and returns why a request is refused; later, if that is not known yet. */
  readonly overhear: (message: JSONRPCMessage) => string | undefined | Promise<string | undefined>;
}

/**
 * A transport between the wire and the SDK while the SDK is not loaded: the fast path answers first requests,
 * as some clients connect only to list. The SDK gets the handshake once it is loaded; every unusual message
 * waits for it.
 */
export class SdkDeferral implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #wire: Transport;
  readonly #options: SdkDeferralOptions;
  /** The calls that are answered without the SDK. */
  readonly #calls = new CallsInProgress();
  /** The messages that the SDK has yet to receive, in order. */
  readonly #unheard: JSONRPCMessage[] = [];
  /** The requests of which it is not known yet whether they are refused. */
  readonly #held = new Map<RequestId, JSONRPCRequest>();
  /** The requests that the SDK has yet to answer. */
  readonly #leftToSdk = new Set<RequestId>();
  /** The handshake that was answered without the SDK, whose own answer is dropped. */
  #handshake: JSONRPCRequest | undefined;
  #sdk: 'not_needed' | 'called' | 'listening' = 'not_needed';

  constructor(wire: Transport, options: SdkDeferralOptions) {
    this.#wire = wire;
    this.#options = options;
    wire.onmessage = (message) => this.#receive(message);
    wire.onclose = () => {
      // The client no longer waits for these.
      void this.#calls.end();
      this.#held.clear();
      this.onclose?.();
    };
    wire.onerror = (error) => this.onerror?.(error);
  }

  /** Called when the SDK listens. */
  async start(): Promise<void> {
    this.#sdk = 'listening';
    for (const message of this.#unheard.splice(0)) this.onmessage?.(message);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message) && message.id !== undefined) this.#leftToSdk.delete(message.id);
    const isAnswered = this.#handshake && !('method' in message) && message.id === this.#handshake.id;
    if (isAnswered) this.#handshake = undefined;
    else await this.#wire.send(message);
  }

  close(): Promise<void> {
    return this.#wire.close();
  }

  #receive(message: JSONRPCMessage): void {
    const refusal = this.#options.overhear(message);
    const request = 'method' in message && 'id' in message ? message : undefined;
    if (request && refusal instanceof Promise) this.#hold(request, refusal);
    else if (request && typeof refusal === 'string') this.#refuse(request, refusal);
    else this.#take(message);
  }

  /** A request that is cancelled meanwhile has no answer. */
  #hold(request: JSONRPCRequest, refusing: Promise<string | undefined>): void {
    this.#held.set(request.id, request);
    refusing
      .then((refusal) => {
        if (this.#held.get(request.id) !== request) return;
        this.#held.delete(request.id);
        if (refusal === undefined) this.#take(request);
        else this.#refuse(request, refusal);
      })
      .catch((error) => this.onerror?.(error));
  }

  #take(message: JSONRPCMessage): void {
    if (this.#cancels(message) || this.#isIgnored(message)) return;
    else if (this.#sdk === 'listening') this.#pass(message);
    else if (this.#sdk === 'called' || !this.#settles(message)) this.#leaveToSdk(message);
  }

  /**
   * True for a notification that changes nothing. Nothing answers it, so the SDK would check it by a schema and wait for
   * a handler in vain, which takes longer than some requests: a flood of them would delay every request behind it.
   */
  #isIgnored(message: JSONRPCMessage): boolean {
    if (!('method' in message) || 'id' in message) return false;
    if (message.method !== 'notifications/cancelled') return !heeded.has(message.method);
    const { requestId } = message.params ?? {};
    return !isId(requestId) || !this.#leftToSdk.delete(requestId);
  }

  #pass(message: JSONRPCMessage): void {
    this.#note(message);
    this.onmessage?.(message);
  }

  #note(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message) this.#leftToSdk.add(message.id);
  }

  #refuse({ id }: JSONRPCRequest, message: string): void {
    this.#reply({ jsonrpc: '2.0', id, error: { code: rpcCodes.invalidParams, message } });
  }

  #reply(message: JSONRPCMessage): void {
    this.#wire.send(message).catch((error) => this.onerror?.(error));
  }

  /** True if a notification cancels a call that is answered here, which then has no answer. */
  #cancels(message: JSONRPCMessage): boolean {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return false;
    const { requestId, reason } = message.params ?? {};
    if (isId(requestId) && this.#held.delete(requestId)) return true;
    const call = this.#calls.find(requestId);
    call?.abort(reason);
    return call !== undefined;
  }

  /** True if the message needs nothing more for now. */
  #settles(message: JSONRPCMessage): boolean {
    if (!('method' in message)) return false;
    if ('id' in message) return this.#answers(message);
    if (message.method !== 'notifications/initialized') return false;
    this.#unheard.push(message);
    return true;
  }

  #answers(request: JSONRPCRequest): boolean {
    const handshake = this.#handshake;
    const notifyOf = (progressToken: RequestId) => this.#notifyOf(progressToken);
    const caller = handshake
      ? ({ era: '2025-session', client: clientOf(handshake), notifyOf } as const)
      : { era: undefined };
    const answer = this.#options.fastPath(request, caller);
    if (!answer?.data) return this.#runs(request, answer);
    this.#reply({ result: answer.data, jsonrpc: '2.0', id: request.id });
    if (request.method === 'initialize') {
      this.#handshake = request;
      this.#unheard.push(request);
    }
    // A client calls a tool next: what the call needs can load while the model thinks.
    if (request.method === 'tools/list') setImmediate(() => this.#prepare());
    return true;
  }

  /** True if a request is a call that is answered here; the SDK judges a second one with its id. */
  #runs(request: JSONRPCRequest, answer: FastAnswer | undefined): boolean {
    if (!answer || this.#calls.find(request.id)) return false;
    const call = this.#calls.add(new CallInProgress({ id: request.id }));
    void replyTo(request, answer.run(call)).then((reply) => {
      this.#calls.remove(call);
      if (!call.aborted) this.#reply(reply);
    });
    return true;
  }

  #notifyOf(progressToken: RequestId): Notify {
    return (step) =>
      this.#wire.send({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken, ...step },
      });
  }

  #prepare(): void {
    if (this.#handshake && this.#options.expectCalls) this.#options.expectCalls();
    else this.#call();
  }

  #leaveToSdk(message: JSONRPCMessage): void {
    this.#note(message);
    this.#unheard.push(message);
    this.#call();
  }

  #call(): void {
    if (this.#sdk !== 'not_needed') return;
    this.#sdk = 'called';
    this.#options.callSdk();
  }
}

/** The notifications that the SDK's server acts on, apart from a cancellation. */
const heeded: ReadonlySet<string> = new Set([
  'notifications/initialized',
  'notifications/roots/list_changed',
]);

function clientOf({ params }: JSONRPCRequest): string | undefined {
  return text(object(params?.clientInfo).name);
}
