import type { Duplex } from 'node:stream';
import { CallInProgress, CallsInProgress } from '../../core/runtime/calls-in-progress.ts';
import { type Refusal, refusals } from './refusals.ts';
import type { HttpLimits } from './request-rules.ts';

/** An admitted request, until its answer is written or its client disconnects, which aborts it. */
export class RequestInProgress extends CallInProgress {
  readonly tokenId: string;
  readonly socket: Duplex;
  /** Called when the client disconnected before its answer was written. */
  readonly onLost: () => void;
  /** True once its token was revoked. */
  isRevoked = false;
  /** True while its body is being received. */
  isReading = false;
  /** True if its answer is a stream without an end of its own, which is counted separately from the calls. */
  isStreaming = false;

  constructor(tokenId: string, socket: Duplex, onLost: () => void) {
    super({ owner: tokenId });
    this.tokenId = tokenId;
    this.socket = socket;
    this.onLost = onLost;
  }
}

/** The open connections of an HTTP server and the requests in progress on them, within the limits. */
export class Connections {
  readonly #most: HttpLimits;
  readonly #sockets = new Set<Duplex>();
  /** The connections without an authenticated request so far, oldest first. */
  readonly #unauthenticated = new Set<Duplex>();
  /** The number of requests on a connection since the last authenticated one. */
  readonly #unknown = new WeakMap<Duplex, number>();
  readonly #closing = new WeakSet<Duplex>();
  readonly #calls: CallsInProgress<RequestInProgress>;
  readonly #streams: CallsInProgress<RequestInProgress>;
  #isClearing = false;
  #onCleared = () => {};

  constructor(most: HttpLimits) {
    this.#most = most;
    this.#calls = new CallsInProgress({ most: most.inFlight, mostOfOwner: most.inFlightOfToken });
    this.#streams = new CallsInProgress({ most: most.streams, mostOfOwner: most.streamsOfToken });
  }

  /**
   * Adds a connection; requests in progress on it end with it. If there are too many connections, the oldest
   * unauthenticated one is closed: clients without a token cannot keep the others out.
   */
  add(socket: Duplex): void {
    if (this.#sockets.size >= this.#most.sockets) {
      const [leaving = socket] = this.#unauthenticated;
      this.#close(leaving);
      leaving.destroy();
      if (leaving === socket) return;
    }
    this.#sockets.add(socket);
    this.#unauthenticated.add(socket);
    socket.once('close', () => this.#close(socket));
  }

  /**
   * Counts an unauthenticated request; returns whether it is the last on its connection, which then closes:
   * requests that an unauthenticated client has pipelined are not worth the time of all others.
   */
  isLastUnauthenticated(socket: Duplex): boolean {
    const count = (this.#unknown.get(socket) ?? 0) + 1;
    this.#unknown.set(socket, count);
    if (count < this.#most.requestsOfStranger) return false;
    this.#closing.add(socket);
    // Nothing more is read, not even to be discarded.
    socket.pause();
    return true;
  }

  /** Admits a request, unless too many are in progress. */
  enter(tokenId: string, socket: Duplex, onLost: () => void): RequestInProgress | Refusal {
    if (this.#isClearing || !this.#sockets.has(socket)) return refusals.leaving;
    this.#unauthenticated.delete(socket);
    this.#unknown.delete(socket);
    if (this.#calls.isFullFor(tokenId)) return refusals.clientBusy;
    if (this.#calls.isFull) return refusals.busy;
    return this.#calls.add(new RequestInProgress(tokenId, socket, onLost));
  }

  /** Turns a call into a stream, which frees its place among the calls, unless too many streams are open. */
  becomeStreaming(request: RequestInProgress): Refusal | undefined {
    if (this.#streams.isFull || this.#streams.isFullFor(request.tokenId)) return refusals.streams;
    if (!this.#calls.remove(request)) return undefined;
    request.isStreaming = true;
    this.#streams.add(request);
    return undefined;
  }

  leave(request: RequestInProgress): void {
    const { socket } = request;
    const wasIn = this.#registerOf(request).remove(request);
    if (wasIn && this.#isClearing && this.on(socket).length === 0) socket.end(() => socket.destroy());
  }

  /** Marks a connection whose last answer is being written: later requests on it are ignored. */
  beginClosing(socket: Duplex): void {
    this.#closing.add(socket);
  }

  isClosing(socket: Duplex): boolean {
    return this.#closing.has(socket);
  }

  /** Returns the requests in progress on a connection. */
  on(socket: Duplex): readonly RequestInProgress[] {
    return this.#all().filter((request) => request.socket === socket);
  }

  /** Aborts all requests in progress of a token at once, and closes their connections. */
  revoke(tokenId: string): void {
    for (const request of this.#all()) {
      if (request.tokenId !== tokenId) continue;
      request.isRevoked = true;
      request.abort();
      request.socket.destroy();
    }
  }

  /** Aborts all requests, closes connections as they become idle, and resolves when none is left. */
  clear(): Promise<void> {
    this.#isClearing = true;
    for (const socket of this.#sockets) {
      const requests = this.on(socket);
      if (requests.length === 0) socket.destroy();
      for (const request of requests) request.abort();
    }
    return new Promise((resolve) => {
      this.#onCleared = resolve;
      if (this.#sockets.size === 0) resolve();
    });
  }

  counts(): { readonly calls: number; readonly streams: number; readonly sockets: number } {
    return { calls: this.#calls.count, streams: this.#streams.count, sockets: this.#sockets.size };
  }

  #close(socket: Duplex): void {
    for (const request of this.on(socket)) {
      this.leave(request);
      request.abort();
      request.onLost();
    }
    this.#sockets.delete(socket);
    this.#unauthenticated.delete(socket);
    if (this.#sockets.size === 0) this.#onCleared();
  }

  #registerOf(request: RequestInProgress): CallsInProgress<RequestInProgress> {
    return request.isStreaming ? this.#streams : this.#calls;
  }

  #all(): readonly RequestInProgress[] {
    return [...this.#calls, ...this.#streams];
  }
}
