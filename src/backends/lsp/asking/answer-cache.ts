import type { Reply } from '../../../core/backend.ts';
import { limits } from '../../../core/limits.ts';
import type { AnswerOf, Question, QuestionKind } from '../../../core/question.ts';
import type { Router } from '../routing/router.ts';
import type { ServerSlot, UseSlot } from '../session/server-slot.ts';
import type { Session } from '../session/session.ts';
import { AnswerStore, type CachedAnswers } from './answer-store.ts';
import { coalesce, type InFlight } from './coalesce.ts';
import { RecentDefinitions } from './recent-definitions.ts';
import type { AskedQuestion, Next, Stage } from './stage.ts';

/** Which requests to avoid. */
export interface CacheOptions {
  /** True if identical questions in flight are asked once. */
  readonly share: boolean;
  /** Maximum size of the cached answers in bytes; 0 disables caching. */
  readonly answers: number;
}

/** Default cache options. */
export const defaultCacheOptions: CacheOptions = { share: true, answers: limits.answers.bytes };

/** Stages that avoid requests: return a cached answer, join a question in flight, or cache the answer. */
export class AnswerCache {
  readonly #router: Router;
  readonly #options: CacheOptions;
  readonly #keys = new QuestionKeys();
  readonly #questions = newQuestionCaches();
  readonly #store: AnswerStore;
  /** Absent if nothing is cached. */
  readonly #recent: RecentDefinitions | undefined;
  readonly #numbers = new WeakMap<Session, number>();
  #lastNumber = 0;
  #generation = 0;

  constructor(router: Router, options: CacheOptions) {
    this.#router = router;
    this.#options = options;
    this.#store = new AnswerStore(options.answers);
    this.#recent = options.answers > 0 ? new RecentDefinitions() : undefined;
  }

  /** Drops all answers after a change in the workspace: only the server knows which answers depend on it. */
  clear(): void {
    this.#generation += 1;
    this.#store.clear();
    this.#recent?.clear();
  }

  /**
   * Returns a cached answer that is still valid. All callers share the cache: each may see the whole
   * workspace. A fast answer reveals no more about other callers than a warm server does.
   */
  readonly lookUp: Stage<'question'> = <K extends QuestionKind>(
    asked: AskedQuestion<K>,
    next: Next<'question'>,
  ): Promise<Reply<AnswerOf<K>>> => {
    const { question, slots, blocked } = asked;
    const recent = this.#recent;
    const { policy, cached }: QuestionCache<AnswerOf<K>> = this.#questions[question.kind];
    if (policy === 'always asked') return next<K>({ ...asked, recent });
    const chosen = slots.map(({ definition, root }) => `${definition.id} ${root}`);
    const key = [this.#keys.of(question), ...chosen].join('\0');
    const isKept = this.#options.answers > 0 && policy === 'cached' && blocked().length === 0;
    const known = isKept ? this.#store.get(cached, key) : undefined;
    if (!known) return next<K>({ ...asked, recent, cache: { key, isKept } });
    for (const slot of slots) slot.postponeIdleStop();
    return Promise.resolve(known);
  };

  /** Joins identical questions in flight of one caller: their outcome depends on that caller's deadline. */
  readonly coalesce: Stage<'question'> = <K extends QuestionKind>(
    asked: AskedQuestion<K>,
    next: Next<'question'>,
  ): Promise<Reply<AnswerOf<K>>> => {
    const { question, call, cache } = asked;
    if (!cache || !this.#options.share) return next<K>(asked);
    const { inFlight }: QuestionCache<AnswerOf<K>> = this.#questions[question.kind];
    const state = `${this.#generation}${this.#sessions()}`;
    const key = [state, JSON.stringify(call.scope), cache.key].join('\0');
    return coalesce(inFlight, key, call, (shared) => next<K>({ ...asked, call: shared }));
  };

  /** Caches a complete answer while its servers stay unchanged. */
  readonly store: Stage<'question'> = async <K extends QuestionKind>(
    asked: AskedQuestion<K>,
    next: Next<'question'>,
  ): Promise<Reply<AnswerOf<K>>> => {
    const { question, row, use, cache } = asked;
    if (!cache?.isKept) return next<K>(asked);
    const before = this.#generation;
    const snapshot = new ServerSnapshot(this.#router);
    const reply = await next<K>({ ...asked, use: snapshot.recording(use) });
    const sessions = this.#sessions();
    const isCurrent = () => sessions === this.#sessions() && snapshot.isUnchanged;
    // Do not cache empty answers: a failing server also answers with nothing.
    const isWhole =
      row.count(reply.answer, question) > 0 &&
      reply.doubts.length === 0 &&
      row.isLate?.(reply.answer) !== true &&
      before === this.#generation &&
      snapshot.wasStable;
    const { cached }: QuestionCache<AnswerOf<K>> = this.#questions[question.kind];
    if (isWhole && isCurrent()) this.#store.set(cached, cache.key, { reply, isCurrent });
    return reply;
  };

  /** Returns a key of the running sessions. */
  #sessions(): string {
    let sessions = '';
    for (const { session } of this.#router.slots)
      if (session?.alive) sessions += ` ${this.#numberOf(session)}`;
    return sessions;
  }

  #numberOf(session: Session): number {
    const number = this.#numbers.get(session) ?? ++this.#lastNumber;
    this.#numbers.set(session, number);
    return number;
  }
}

/** Answers are cached, or shared with identical questions in flight, or requested each time. */
type CachePolicy = 'cached' | 'coalesced' | 'always asked';

/** Questions in flight and cached answers of one kind of question. */
class QuestionCache<T> {
  readonly policy: CachePolicy;
  readonly inFlight: InFlight<T> = new Map();
  readonly cached: CachedAnswers<T> = new Map();

  constructor(policy: CachePolicy) {
    this.policy = policy;
  }
}

/** Proposed changes are not cached, since they depend on the disk. */
function newQuestionCaches(): { readonly [K in QuestionKind]: QuestionCache<AnswerOf<K>> } {
  return {
    definition: new QuestionCache('cached'),
    declaration: new QuestionCache('cached'),
    type: new QuestionCache('cached'),
    implementations: new QuestionCache('cached'),
    references: new QuestionCache('cached'),
    calls: new QuestionCache('cached'),
    types: new QuestionCache('cached'),
    hover: new QuestionCache('cached'),
    outline: new QuestionCache('cached'),
    symbols: new QuestionCache('cached'),
    completions: new QuestionCache('coalesced'),
    signatures: new QuestionCache('coalesced'),
    hints: new QuestionCache('coalesced'),
    actions: new QuestionCache('always asked'),
    rename: new QuestionCache('always asked'),
    moves: new QuestionCache('always asked'),
    format: new QuestionCache('always asked'),
  };
}

/** Gives equal questions equal keys. */
class QuestionKeys {
  /** Numbers for lists of files, which can be long; a caller that repeats a question passes the same list. */
  readonly #lists = new WeakMap<object, number>();
  #last = 0;

  of<K extends QuestionKind>(question: Question<K>): string {
    const among = 'among' in question ? question.among : undefined;
    return JSON.stringify(Array.isArray(among) ? { ...question, among: this.#numberOf(among) } : question);
  }

  #numberOf(list: object): number {
    const number = this.#lists.get(list) ?? ++this.#last;
    this.#lists.set(list, number);
    return number;
  }
}

/** State of a server after it answered. */
interface Seen {
  readonly slot: ServerSlot;
  /** Number of reloads begun before it was asked, and after it answered. */
  readonly reloads: readonly (number | undefined)[];
  readonly messageCount: number | undefined;
}

/** Records which servers an answer came from, and whether they would still say the same. */
class ServerSnapshot {
  readonly #router: Router;
  readonly #seen: Seen[] = [];

  constructor(router: Router) {
    this.#router = router;
  }

  /** Wraps `use` to record the state of the servers. */
  recording(use: UseSlot): UseSlot {
    return async (slot, ...rest) => {
      const before = reloadsOf(slot);
      const worked = await use(slot, ...rest);
      for (const one of [slot, ...this.#router.askedBy(slot)])
        this.#seen.push({
          slot: one,
          reloads: one === slot ? [before ?? reloadsOf(slot), reloadsOf(slot)] : [],
          messageCount: messageCountOf(one),
        });
      return worked;
    };
  }

  /** True if a server was asked, and none was loading meanwhile. */
  get wasStable(): boolean {
    return this.#seen.length > 0 && this.#seen.every(({ reloads: [before, after] }) => before === after);
  }

  /** True if each server asked is ready, and has neither sent nor received a message since. */
  get isUnchanged(): boolean {
    return this.#seen.every(
      ({ slot, messageCount }) =>
        isReady(slot) && messageCount !== undefined && messageCountOf(slot) === messageCount,
    );
  }
}

function isReady({ session, outdated }: ServerSlot): boolean {
  return session?.alive === true && session.readiness.isReady && !outdated;
}

function reloadsOf({ session }: ServerSlot): number | undefined {
  return session?.readiness.reloads;
}

function messageCountOf({ session }: ServerSlot): number | undefined {
  return session?.readiness.messageCount;
}
