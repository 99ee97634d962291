import { randomUUID } from 'node:crypto';
import { isInitializeRequest, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { limits } from '../../../core/limits.ts';
import type { Log } from '../../../core/log.ts';
import { mcpCodes, type RequestId, rpcCodes } from '../../../jsonrpc/message.ts';
import type { Exchange, HttpReply } from '../../http/exchange.ts';
import type { FastPath } from '../fast-path/fast-path.ts';
import type { MakeServer } from './make-server.ts';
import { requestIn } from './protocol-version.ts';
import { refuse } from './refuse.ts';
import { HttpSession } from './session.ts';

/** What sessions are opened with. */
export interface SessionsSettings {
  readonly make: MakeServer;
  readonly fastPath?: FastPath | undefined;
  readonly log: Log;
  /** Milliseconds. */
  readonly now?: () => number;
}

/**
 * The sessions of the 2025 revisions. One that nobody used for long ends, and none is opened for a request that does not
 * open one. Where there is no room, one that has rested for a while gives way: clients seldom say goodbye. And no token
 * can keep others out by opening them all.
 */
export class Sessions {
  readonly #settings: SessionsSettings;
  readonly #now: () => number;
  readonly #open = new Map<string, HttpSession>();
  readonly #timer: NodeJS.Timeout;

  constructor(settings: SessionsSettings) {
    this.#settings = settings;
    this.#now = settings.now ?? (() => performance.now());
    this.#timer = setInterval(() => this.sweep(), limits.http.sessionRest).unref();
  }

  get count(): number {
    return this.#open.size;
  }

  /** Answers a request by its session, or opens one for it. */
  async serve(exchange: Exchange, message: JSONRPCMessage | undefined): Promise<HttpReply> {
    const id = exchange.headers.get('mcp-session-id');
    if (id === undefined) return this.#begin(exchange, message);
    const found = this.#open.get(id);
    // The session of another token is no other answer than none at all.
    if (!found || found.tokenId !== exchange.tokenId) return unknownSession(message);
    return found.serve(exchange, message);
  }

  /** Ends those that nobody has used for long, never one with an exchange going on. */
  sweep(): void {
    const { sessionIdle } = limits.http;
    for (const session of this.#open.values())
      if (session.rests && this.#now() - session.used > sessionIdle) this.#close(session);
  }

  /** Ends the sessions of a token that holds no more. */
  closeOf(holder: string): void {
    for (const session of this.#open.values()) if (session.tokenId === holder) this.#close(session);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#open.values()].map((session) => session.close()));
  }

  async #begin(exchange: Exchange, message: JSONRPCMessage | undefined): Promise<HttpReply> {
    if (message === undefined) return noSession(message);
    if (!('method' in message) || message.method !== 'initialize') return noSession(message);
    if (!isInitializeRequest(message) || !('id' in message)) return malformed(message);
    if (!this.#makesRoom(exchange.tokenId)) return full(message);
    const { make, fastPath, log } = this.#settings;
    const id = randomUUID();
    const { tokenId } = exchange;
    const { server, close, onListener = () => {} } = make({ tokenId, era: '2025-session' });
    const session = new HttpSession({
      id,
      tokenId,
      client: message.params.clientInfo.name,
      server,
      fastPath,
      onListener,
      now: this.#now,
      onError: (error) => log('debug', 'mcp.error', { error: error.message }),
      onClose: () => {
        this.#open.delete(id);
        close();
        log('info', 'http.session_closed', { sessions: this.#open.size });
      },
    });
    this.#open.set(id, session);
    log('info', 'http.session_opened', { sessions: this.#open.size });
    const reply = await session.open(exchange).catch((error) => {
      this.#close(session);
      throw error;
    });
    // Whoever is refused does not learn of the session, which would wait for nobody.
    if (reply.status !== 200) this.#close(session);
    return reply;
  }

  /** Whether there is room for one more; the one that rested for longest gives way if it has for a while. */
  #makesRoom(holder: string): boolean {
    if (this.#open.size < limits.http.sessions) return true;
    const [first] = this.#inOrder();
    const isLeft = first?.rests && this.#now() - first.used >= limits.http.sessionRest;
    const leaving = isLeft ? first : this.#ofGreediest(holder);
    if (leaving) this.#close(leaving);
    return leaving !== undefined;
  }

  /** The first to give way of whoever has the most, where that is far more than this holder has. */
  #ofGreediest(holder: string): HttpSession | undefined {
    const shareOf = (one: string) =>
      [...this.#open.values()].filter((session) => session.tokenId === one).length;
    const holders = new Set([...this.#open.values()].map(({ tokenId: one }) => one));
    const [most = holder] = [...holders].sort((a, b) => shareOf(b) - shareOf(a));
    if (shareOf(most) <= 2 * (shareOf(holder) + 1)) return undefined;
    return this.#inOrder().find((session) => session.tokenId === most);
  }

  /** Those that rest before those that are in use, and those that were used longest ago first. */
  #inOrder(): readonly HttpSession[] {
    const isUsed = ({ rests }: HttpSession) => Number(!rests);
    return [...this.#open.values()].sort((a, b) => isUsed(a) - isUsed(b) || a.used - b.used);
  }

  #close(session: HttpSession): void {
    session.close().catch((error) => this.#settings.log('warn', 'http.session_not_closed', { error }));
  }
}

type Refused = JSONRPCMessage | undefined;

function unknownSession(message: Refused): HttpReply {
  const id = idIn(message);
  return refuse(404, mcpCodes.sessionNotFound, 'There is no such session: open one by initialize.', id);
}

function noSession(message: Refused): HttpReply {
  const id = idIn(message);
  return refuse(
    400,
    rpcCodes.serverError,
    'The header Mcp-Session-Id is missing: open a session by initialize.',
    id,
  );
}

function malformed(message: Refused): HttpReply {
  const id = idIn(message);
  return refuse(
    400,
    rpcCodes.invalidParams,
    'The parameters of initialize are not as the protocol says.',
    id,
  );
}

function full(message: Refused): HttpReply {
  const text = `There are ${limits.http.sessions} sessions already: end one by DELETE, or try again later.`;
  return refuse(503, rpcCodes.serverError, text, idIn(message), { headers: { 'Retry-After': '60' } });
}

/** What a client answers has an id of ours, and is no request. */
function idIn(message: Refused): RequestId | undefined {
  return requestIn(message)?.id;
}
