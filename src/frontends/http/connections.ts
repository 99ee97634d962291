import type { Duplex } from 'node:stream';
import { Passers } from '../../core/runtime/active-set.ts';
import { Ending } from '../../core/runtime/cancellation.ts';
import { type Refusal, refusals } from './refusals.ts';
import type { HttpLimits } from './rules.ts';

/** A request that was let in, until its answer is written or its client has gone. */
export interface Visit {
  readonly holder: string;
  readonly socket: Duplex;
  readonly gone: Ending;
  /** Called when the client went before its answer was written. */
  readonly lost: () => void;
  /** Lets it out of those on its connection; nothing once it is out. */
  out: (() => void) | undefined;
  /** Whether its token has ceased to hold. */
  revoked: boolean;
  /** Whether its body is still on the way. */
  reading: boolean;
  /** Whether its answer is a stream without an end of its own, which is counted apart from the calls. */
  lasting: boolean;
}

/** Who is inside at present, and on which connections. */
export interface Visits {
  /**
   * Notes a connection; what is under way on it ends with it. Where there are too many, the one that has been open for
   * longest without showing a token gives way: whoever has none cannot keep the others out.
   */
  connected(socket: Duplex): void;
  /**
   * Notes a request that is answered though nobody is let in, and tells whether it is the last of its connection, which is
   * then sealed: what a stranger has sent in advance is not worth the time of all others.
   */
  isLastOfStranger(socket: Duplex): boolean;
  /** Lets a request in, unless too many are. */
  enter(holder: string, socket: Duplex, lost: () => void): Visit | Refusal;
  /** The visit goes on as a stream and frees its place among the calls, unless too many streams are open. */
  becomeLasting(visit: Visit): Refusal | undefined;
  leave(visit: Visit): void;
  /** A connection whose last answer is on its way: whatever else comes on it is passed over. */
  seal(socket: Duplex): void;
  isSealed(socket: Duplex): boolean;
  /** What is under way on a connection. */
  on(socket: Duplex): Iterable<Visit> & { readonly size: number };
  /** Ends at once whatever a holder has under way, and its connections. */
  revoke(holder: string): void;
  /** Tells everybody to leave and closes the connections as they fall idle; resolves when none is left. */
  clear(): Promise<void>;
  counts(): { readonly calls: number; readonly streams: number; readonly sockets: number };
}

/** Counts visits against the bounds of the door. */
export function countVisits(most: HttpLimits): Visits {
  const sockets = new Map<Duplex, Passers<Visit>>();
  const sealed = new WeakSet<Duplex>();
  /** The connections on which nobody was let in so far, the oldest first. */
  const strangers = new Set<Duplex>();
  /** How many requests came on a connection since somebody was let in there. */
  const unknown = new WeakMap<Duplex, number>();
  const calls = countByHolder();
  const streams = countByHolder();
  let clearing = false;
  let cleared = () => {};

  const leave = (visit: Visit) => {
    if (!visit.out) return;
    visit.out();
    visit.out = undefined;
    (visit.lasting ? streams : calls).add(visit.holder, -1);
    if (clearing && sockets.get(visit.socket)?.size === 0) visit.socket.end(() => visit.socket.destroy());
  };
  const close = (socket: Duplex) => {
    for (const visit of sockets.get(socket) ?? []) {
      leave(visit);
      visit.gone.abort();
      visit.lost();
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
      sockets.set(socket, new Passers());
      strangers.add(socket);
      socket.once('close', () => close(socket));
    },
    isLastOfStranger: (socket) => {
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
      const visit: Visit = {
        holder,
        socket,
        gone: new Ending(),
        lost,
        out: undefined,
        revoked: false,
        reading: false,
        lasting: false,
      };
      calls.add(holder, 1);
      visit.out = there.enter(visit);
      return visit;
    },
    becomeLasting: (visit) => {
      const { holder } = visit;
      if (streams.total() >= most.streams || streams.of(holder) >= most.streamsOfToken)
        return refusals.streams;
      if (!visit.out) return undefined;
      visit.lasting = true;
      streams.add(holder, 1);
      calls.add(holder, -1);
      return undefined;
    },
    leave,
    seal: (socket) => void sealed.add(socket),
    isSealed: (socket) => sealed.has(socket),
    on: (socket) => sockets.get(socket) ?? nobody,
    revoke: (holder) => {
      for (const [socket, there] of sockets) {
        const mine = [...there].filter((visit) => visit.holder === holder);
        for (const visit of mine) {
          visit.revoked = true;
          visit.gone.abort();
        }
        if (mine.length > 0) socket.destroy();
      }
    },
    clear: () => {
      clearing = true;
      for (const [socket, there] of sockets) {
        if (there.size === 0) socket.destroy();
        for (const visit of there) visit.gone.abort();
      }
      return new Promise((resolve) => {
        cleared = resolve;
        if (sockets.size === 0) resolve();
      });
    },
    counts: () => ({ calls: calls.total(), streams: streams.total(), sockets: sockets.size }),
  };
}

function countByHolder() {
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

const nobody = new Passers<Visit>();
