import type { Duplex } from 'node:stream';
import { ActiveSet } from '../../core/runtime/active-set.ts';
import { CancelSource } from '../../core/runtime/cancellation.ts';
import { type Refusal, refusals } from './refusals.ts';
import type { HttpLimits } from './rules.ts';

/** A request that was let in, until its answer is written or its client has gone. */
export interface RequestInProgress {
  readonly tokenId: string;
  readonly socket: Duplex;
  readonly gone: CancelSource;
  /** Called when the client went before its answer was written. */
  readonly lost: () => void;
  /** Lets it out of those on its connection; nothing once it is out. */
  out: (() => void) | undefined;
  /** Whether its token has ceased to hold. */
  revoked: boolean;
  /** Whether its body is still on the way. */
  reading: boolean;
  /** Whether its answer is a stream without an end of its own, which is counted apart from the calls. */
  streaming: boolean;
}

/** Who is inside at present, and on which connections. */
export interface Connections {
  /**
   * Notes a connection; what is under way on it ends with it. Where there are too many, the one that has been open for
   * longest without showing a token gives way: whoever has none cannot keep the others out.
   */
  connected(socket: Duplex): void;
  /**
   * Notes a request that is answered though nobody is let in, and tells whether it is the last of its connection, which is
   * then sealed: what a stranger has sent in advance is not worth the time of all others.
   */
  isLastUnauthenticated(socket: Duplex): boolean;
  /** Lets a request in, unless too many are. */
  enter(holder: string, socket: Duplex, lost: () => void): RequestInProgress | Refusal;
  /** The visit goes on as a stream and frees its place among the calls, unless too many streams are open. */
  becomeStreaming(request: RequestInProgress): Refusal | undefined;
  leave(request: RequestInProgress): void;
  /** A connection whose last answer is on its way: whatever else comes on it is passed over. */
  beginClosing(socket: Duplex): void;
  isClosing(socket: Duplex): boolean;
  /** What is under way on a connection. */
  on(socket: Duplex): Iterable<RequestInProgress> & { readonly size: number };
  /** Ends at once whatever a holder has under way, and its connections. */
  revoke(holder: string): void;
  /** Tells everybody to leave and closes the connections as they fall idle; resolves when none is left. */
  clear(): Promise<void>;
  counts(): { readonly calls: number; readonly streams: number; readonly sockets: number };
}

/** Counts visits against the bounds of the door. */
export function trackConnections(most: HttpLimits): Connections {
  const sockets = new Map<Duplex, ActiveSet<RequestInProgress>>();
  const sealed = new WeakSet<Duplex>();
  /** The connections on which nobody was let in so far, the oldest first. */
  const strangers = new Set<Duplex>();
  /** How many requests came on a connection since somebody was let in there. */
  const unknown = new WeakMap<Duplex, number>();
  const calls = countByToken();
  const streams = countByToken();
  let clearing = false;
  let cleared = () => {};

  const leave = (request: RequestInProgress) => {
    if (!request.out) return;
    request.out();
    request.out = undefined;
    (request.streaming ? streams : calls).add(request.tokenId, -1);
    if (clearing && sockets.get(request.socket)?.size === 0)
      request.socket.end(() => request.socket.destroy());
  };
  const close = (socket: Duplex) => {
    for (const request of sockets.get(socket) ?? []) {
      leave(request);
      request.gone.abort();
      request.lost();
    }
    sockets.delete(socket);
    strangers.delete(socket);
    if (sockets.size === 0) cleared();
  };

  return {
    connected: (socket) => {
      if (sockets.size >= most.sockets) {
        const [leaving = socket] = strangers;
        close(leaving);
        leaving.destroy();
        if (leaving === socket) return;
      }
      sockets.set(socket, new ActiveSet());
      strangers.add(socket);
      socket.once('close', () => close(socket));
    },
    isLastUnauthenticated: (socket) => {
      const count = (unknown.get(socket) ?? 0) + 1;
      unknown.set(socket, count);
      if (count < most.requestsOfStranger) return false;
      sealed.add(socket);
      // Nothing more is read, not even to be passed over.
      socket.pause();
      return true;
    },
    enter: (holder, socket, lost) => {
      const there = sockets.get(socket);
      if (clearing || !there) return refusals.leaving;
      strangers.delete(socket);
      unknown.delete(socket);
      if (calls.of(holder) >= most.inFlightOfToken) return refusals.holderBusy;
      if (calls.total() >= most.inFlight) return refusals.busy;
      const request: RequestInProgress = {
        tokenId: holder,
        socket,
        gone: new CancelSource(),
        lost,
        out: undefined,
        revoked: false,
        reading: false,
        streaming: false,
      };
      calls.add(holder, 1);
      request.out = there.add(request);
      return request;
    },
    becomeStreaming: (request) => {
      const { tokenId } = request;
      if (streams.total() >= most.streams || streams.of(tokenId) >= most.streamsOfToken)
        return refusals.streams;
      if (!request.out) return undefined;
      request.streaming = true;
      streams.add(tokenId, 1);
      calls.add(tokenId, -1);
      return undefined;
    },
    leave,
    beginClosing: (socket) => void sealed.add(socket),
    isClosing: (socket) => sealed.has(socket),
    on: (socket) => sockets.get(socket) ?? nobody,
    revoke: (holder) => {
      for (const [socket, there] of sockets) {
        const mine = [...there].filter((request) => request.tokenId === holder);
        for (const request of mine) {
          request.revoked = true;
          request.gone.abort();
        }
        if (mine.length > 0) socket.destroy();
      }
    },
    clear: () => {
      clearing = true;
      for (const [socket, there] of sockets) {
        if (there.size === 0) socket.destroy();
        for (const request of there) request.gone.abort();
      }
      return new Promise((resolve) => {
        cleared = resolve;
        if (sockets.size === 0) resolve();
      });
    },
    counts: () => ({ calls: calls.total(), streams: streams.total(), sockets: sockets.size }),
  };
}

function countByToken() {
  const counts = new Map<string, number>();
  let total = 0;
  const of = (holder: string) => counts.get(holder) ?? 0;
  return {
    of,
    total: () => total,
    add: (holder: string, more: 1 | -1) => {
      total += more;
      const count = of(holder) + more;
      if (count > 0) counts.set(holder, count);
      else counts.delete(holder);
    },
  };
}

const nobody = new ActiveSet<RequestInProgress>();
