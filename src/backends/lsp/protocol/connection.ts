import { setMaxListeners } from 'node:events';
import { asLspanError, LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import { BoundedCache } from '../../../core/runtime/bounded-cache.ts';
import type { CancelSignal } from '../../../core/runtime/cancellation.ts';
import { object, text } from '../../../core/runtime/json.ts';
import { FrameReader } from '../../../jsonrpc/frame-reader.ts';
import { encodeFrame } from '../../../jsonrpc/frame-writer.ts';
import { type Message, ResponseError, readMessage, rpcCodes } from '../../../jsonrpc/message.ts';
import type { ByteChannel } from './byte-channel.ts';
import type { MessageMapping } from './path-mapping.ts';

/** The callbacks of a connection's owner. */
export interface ConnectionOwner {
  /** The server's id, for error messages. */
  readonly server: string;
  /** Answers a request of the server; a thrown `ResponseError` is sent back unchanged. */
  answer(method: string, params: unknown): unknown;
  /** Receives a notification of the server. */
  hear(method: string, params: unknown): void;
  /** Reports that the connection is unusable and has closed itself; called at most once. */
  fault(error: LspanError): void;
  /** Maps names of files, for a server that has others. The trace shows what is on the wire. */
  readonly mapping?: MessageMapping | undefined;
  trace?(direction: 'to_server' | 'from_server', message: unknown): void;
}

/** Numbers of messages that were dropped or treated specially. */
interface ConnectionCounters {
  readonly stray: number;
  /** Messages too large to be parsed at once. */
  readonly large: number;
  readonly lateReplies: number;
  readonly unknownReplies: number;
  readonly invalid: number;
  /** Replies and cancellations that the full or broken wire did not take. */
  readonly unsent: number;
}

/** JSON-RPC with one server. Reading never waits for writing, so a flood from the server cannot deadlock. */
export class Connection {
  readonly #wire: ByteChannel;
  readonly #owner: ConnectionOwner;
  readonly #reader: FrameReader;
  readonly #pending = new Map<number, Pending>();
  /** The latest cancelled requests without a reply, to distinguish late replies from unknown ones. */
  readonly #cancelled = new BoundedCache<true, number>({ count: limits.cancelledRequests });
  readonly #counts = { lateReplies: 0, unknownReplies: 0, invalid: 0, unsent: 0 };
  #lastId = 0;
  #closed: LspanError | undefined;

  constructor(wire: ByteChannel, owner: ConnectionOwner) {
    this.#wire = wire;
    this.#owner = owner;
    this.#reader = new FrameReader({
      message: (value) => this.#receive(value),
      fault: (reason) => this.#fail(brokenProtocol(owner.server, reason)),
      hold: (isHeld) => wire.pause?.(isHeld),
    });
    wire.onData((chunk) => this.#reader.push(chunk));
  }

  get pendingCount(): number {
    return this.#pending.size;
  }

  get counters(): ConnectionCounters {
    return { stray: this.#reader.strayLines, large: this.#reader.large, ...this.#counts };
  }

  /** Sends a request. Rejects with a `ResponseError`, the signal's reason, or why the connection closed. */
  request(method: string, params: unknown, signal: CancelSignal): Promise<unknown> {
    if (this.#closed) return Promise.reject(this.#closed);
    if (signal.aborted) return Promise.reject(signal.reason);
    // One call sends many requests at once; Node takes more than ten listeners for a leak.
    if (signal instanceof AbortSignal) setMaxListeners(0, signal);
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      const cancel = () => this.#cancel(id, signal.reason);
      this.#pending.set(id, {
        method,
        params,
        resolve,
        reject,
        free: () => signal.removeEventListener('abort', cancel),
      });
      signal.addEventListener('abort', cancel, { once: true });
      try {
        this.#send({ jsonrpc: '2.0', id, method, params }, method);
      } catch (thrown) {
        this.#take(id)?.reject(thrown);
      }
    });
  }

  /** Sends a notification. Throws what the wire throws; does nothing after closing. */
  notify(method: string, params?: unknown): void {
    if (!this.#closed) this.#send({ jsonrpc: '2.0', method, params }, method);
  }

  /** Rejects all pending and later requests with `reason`, and stops reading. */
  close(reason: LspanError): void {
    if (this.#closed) return;
    this.#closed = reason;
    this.#reader.end();
    for (const id of [...this.#pending.keys()]) this.#take(id)?.reject(reason);
  }

  /** @param method That of the message, or of the request that it answers. */
  #send(message: unknown, method: string): void {
    const { mapping } = this.#owner;
    const sent = mapping ? mapping.toFar(message, method) : message;
    this.#owner.trace?.('to_server', sent);
    this.#wire.write(encodeFrame(sent));
  }

  /** Sends without throwing, if no caller waits: the owner learns of a full or broken wire by itself. */
  #trySend(message: unknown, method: string): void {
    if (this.#closed) return;
    try {
      this.#send(message, method);
    } catch {
      this.#counts.unsent++;
    }
  }

  #take(id: unknown): Pending | undefined {
    if (typeof id !== 'number') return undefined;
    const pending = this.#pending.get(id);
    if (pending) this.#pending.delete(id);
    pending?.free();
    return pending;
  }

  #cancel(id: number, reason: unknown): void {
    this.#take(id)?.reject(reason);
    this.#cancelled.set(id, true);
    this.#trySend({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id } }, '$/cancelRequest');
  }

  #receive(value: unknown): void {
    this.#owner.trace?.('from_server', value);
    const message = readMessage(this.#mapped(value));
    switch (message.kind) {
      case 'result':
        this.#pendingFor(message.id)?.resolve(message.result);
        break;
      case 'error':
        this.#pendingFor(message.id)?.reject(message.error);
        break;
      case 'notification':
        this.#hear(message.method, message.params);
        break;
      case 'request':
        void this.#answer(message);
        break;
      case 'invalid':
        this.#counts.invalid++;
    }
  }

  #mapped(value: unknown): unknown {
    const { mapping } = this.#owner;
    if (!mapping) return value;
    const { method, id } = object(value);
    const named = text(method);
    const answered = named === undefined && typeof id === 'number' ? this.#pending.get(id) : undefined;
    return mapping.toNear(value, named ?? answered?.method, answered?.params);
  }

  #pendingFor(id: unknown): Pending | undefined {
    const pending = this.#take(id);
    if (pending) return pending;
    if (typeof id === 'number' && this.#cancelled.delete(id)) this.#counts.lateReplies++;
    else this.#counts.unknownReplies++;
    return undefined;
  }

  #hear(method: string, params: unknown): void {
    try {
      this.#owner.hear(method, params);
    } catch (thrown) {
      this.#fail(asLspanError(thrown));
    }
  }

  async #answer(request: Message & { kind: 'request' }): Promise<void> {
    const { id, method, params } = request;
    try {
      const result = (await this.#owner.answer(method, params)) ?? null;
      this.#trySend({ jsonrpc: '2.0', id, result }, method);
    } catch (thrown) {
      this.#trySend({ jsonrpc: '2.0', id, error: replyError(thrown) }, method);
    }
  }

  #fail(error: LspanError): void {
    if (this.#closed) return;
    this.close(error);
    this.#owner.fault(error);
  }
}

interface Pending {
  readonly method: string;
  readonly params: unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
  /** Removes the listener from the caller's signal. */
  readonly free: () => void;
}

function replyError(thrown: unknown): { code: number; message: string; data?: unknown } {
  if (!(thrown instanceof ResponseError)) {
    return { code: rpcCodes.internalError, message: 'The client could not answer.' };
  }
  return { code: thrown.code, message: thrown.message, data: thrown.data };
}

/** The error of a server whose bytes cannot be read any further; the reason is a clause. */
export function brokenProtocol(server: string, reason: string): LspanError {
  return new LspanError('server_crashed', `The language server ${server} broke the protocol: ${reason}.`, {
    nextStep: 'Call again: lspan restarts the server. If it fails again, see get_server_status.',
  });
}
