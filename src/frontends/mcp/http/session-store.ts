import { randomUUID } from 'node:crypto';
import { isInitializeRequest, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { limits } from '../../../core/limits.ts';
import type { Log } from '../../../core/log.ts';
import { mcpCodes, type RequestId, rpcCodes } from '../../../jsonrpc/message.ts';
import type { Exchange, HttpReply } from '../../http/exchange.ts';
import type { FastPath } from '../fast-path/fast-path.ts';
import { ToldDoubts } from '../told-doubts.ts';
import type { MakeServer } from './make-server.ts';
import { requestIn } from './protocol-version.ts';
import { refuse } from './refuse.ts';
import { HttpSession } from './session.ts';

/** The settings for sessions. */
interface SessionsSettings {
  readonly make: MakeServer;
  readonly fastPath?: FastPath | undefined;
  /** True if only `ping` is answered before `notifications/initialized`. */
  readonly awaitsInitialized?: boolean;
  readonly log: Log;
  /** Returns milliseconds. */
  readonly now?: () => number;
}

/**
 * The sessions of the 2025 revisions. A session ends after a long idle time; only `initialize` opens one. At
 * the limit, a session that was idle for a while is closed for a new one, since clients seldom end theirs.
 * No token can lock others out by opening them all.
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

  /** Answers a request in its session, or opens a session for it. */
  async serve(exchange: Exchange, message: JSONRPCMessage | undefined): Promise<HttpReply> {
    const id = exchange.headers.get('mcp-session-id');
    if (id === undefined) return this.#begin(exchange, message);
    const found = this.#open.get(id);
    // For the session of another token the answer is the one for an unknown session.
    if (!found || found.tokenId !== exchange.tokenId) return unknownSession(message);
    return found.serve(exchange, message);
  }

  /** Closes sessions that were idle for long, never one with an exchange in progress. */
  sweep(): void {
    const { sessionIdle } = limits.http;
    for (const session of this.#open.values())
      if (session.rests && this.#now() - session.used > sessionIdle) this.#close(session);
  }

  /** Closes the sessions of a revoked token. */
  closeOf(tokenId: string): void {
    for (const session of this.#open.values()) if (session.tokenId === tokenId) this.#close(session);
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
    const { make, fastPath, awaitsInitialized = false, log } = this.#settings;
    const id = randomUUID();
    const { tokenId } = exchange;
    const told = new ToldDoubts();
    const { server, close, onListener = () => {} } = make({ tokenId, era: '2025-session', told });
    const session = new HttpSession({
      id,
      tokenId,
      client: message.params.clientInfo.name,
      server,
      fastPath,
      told,
      awaitsInitialized,
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
    // A refused client does not learn the id of the session, which would stay unused.
    if (reply.status !== 200) this.#close(session);
    return reply;
  }

  /** True if there is room for one more, possibly after closing an idle session or one of a greedy token. */
  #makesRoom(tokenId: string): boolean {
    if (this.#open.size < limits.http.sessions) return true;
    const [first] = this.#inOrder();
    const isLeft = first?.rests && this.#now() - first.used >= limits.http.sessionRest;
    const leaving = isLeft ? first : this.#ofGreediest(tokenId);
    if (leaving) this.#close(leaving);
    return leaving !== undefined;
  }

  /** Returns the first session to close of the token with the most, if it has far more than this token. */
  #ofGreediest(tokenId: string): HttpSession | undefined {
    const shareOf = (one: string) =>
      [...this.#open.values()].filter((session) => session.tokenId === one).length;
    const tokenIds = new Set([...this.#open.values()].map(({ tokenId: one }) => one));
    const [most = tokenId] = [...tokenIds].sort((a, b) => shareOf(b) - shareOf(a));
    if (shareOf(most) <= 2 * (shareOf(tokenId) + 1)) return undefined;
    return this.#inOrder().find((session) => session.tokenId === most);
  }

  /** Returns idle sessions before busy ones, each by the time of last use. */
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
  return refuse(400, rpcCodes.invalidParams, 'The parameters of initialize are not valid.', id);
}

function full(message: Refused): HttpReply {
  const text = `There are already ${limits.http.sessions} sessions: end one by DELETE, or try again later.`;
  return refuse(503, rpcCodes.serverError, text, idIn(message), { headers: { 'Retry-After': '60' } });
}

/** The response of a client has an id that lspan chose, and is not a request. */
function idIn(message: Refused): RequestId | undefined {
  return requestIn(message)?.id;
}
