import { limits } from '../../../core/limits.ts';
import type { Json } from '../../../core/runtime/json.ts';
import type { Session } from '../session/session.ts';

/**
 * Replies of servers to requests for definitions. Several questions about one symbol, and every mention of its name, lead to
 * the same requests. A reply is valid until the server is sent an update or sends a message: until then, its knowledge is
 * the same.
 */
export class RecentDefinitions {
  #bySession = new WeakMap<Session, RecentReplies>();

  /** Returns the reply to a request, and sends that only if there is no valid reply. */
  async reply(session: Session, params: Json, send: () => Promise<unknown>): Promise<unknown> {
    const key = JSON.stringify(params);
    const recent = this.#repliesOf(session);
    const known = recent?.replies.get(key);
    if (known !== undefined) return known;
    const reply = await send();
    if (recent && recent === this.#repliesOf(session) && isKept(reply)) recent.keep(key, reply);
    return reply;
  }

  /** Drops all replies after a change in the workspace. */
  clear(): void {
    this.#bySession = new WeakMap();
  }

  /** Returns what the server said since it last learnt something; `undefined` while it is not ready. */
  #repliesOf(session: Session): RecentReplies | undefined {
    const { alive, readiness } = session;
    if (!alive || !readiness.isReady) return undefined;
    const known = this.#bySession.get(session);
    if (known?.messageCount === readiness.messageCount) return known;
    const fresh = new RecentReplies(readiness.messageCount);
    this.#bySession.set(session, fresh);
    return fresh;
  }
}

/** The replies of one server in one state. */
class RecentReplies {
  readonly messageCount: number;
  readonly replies = new Map<string, unknown>();

  constructor(messageCount: number) {
    this.messageCount = messageCount;
  }

  keep(key: string, reply: unknown): void {
    if (this.replies.size < limits.recentDefinitions.replies) this.replies.set(key, reply);
  }
}

/** Empty replies are not kept, since a failing server also returns nothing; nor are long ones. */
function isKept(reply: unknown): boolean {
  if (!Array.isArray(reply)) return typeof reply === 'object' && reply !== null;
  return reply.length > 0 && reply.length <= limits.recentDefinitions.places;
}
