import type { Reply } from '../../../core/backend.ts';
import type { Call } from '../../../core/call.ts';
import { limits } from '../../../core/limits.ts';
import type { AnswerOf, Question, QuestionKind } from '../../../core/questions.ts';
import { rows } from '../questions/table.ts';
import type { Router } from '../routing/router.ts';
import type { ServerSlot } from '../session/server-slot.ts';
import type { Session } from '../session/session.ts';
import { AnswerStore, type CachedAnswers } from './answer-store.ts';
import { coalesce, type InFlight } from './coalesce.ts';
import { ServerSnapshot } from './server-snapshot.ts';

/** What is spared: that identical questions in flight are asked each, and that kept answers are asked for again. */
export interface CacheOptions {
  readonly share: boolean;
  /** The bytes of the answers that are kept; 0 keeps none. */
  readonly answers: number;
}

/** As thrifty as is usual. */
export const defaultCacheOptions: CacheOptions = { share: true, answers: limits.answers.bytes };

/** Asks servers, which are used in the usual way or through what notes it. */
export type AskServers<K extends QuestionKind> = (
  call: Call,
  snapshot?: ServerSnapshot,
) => Promise<Reply<AnswerOf<K>>>;

/** Has servers asked only what is not being asked already, and what cannot be known from before. */
export class AnswerCache {
  readonly #router: Router;
  readonly #options: CacheOptions;
  readonly #keys = new QuestionKeys();
  readonly #questions = newQuestionCaches();
  readonly #kept: AnswerStore;
  readonly #numbers = new WeakMap<Session, number>();
  #lastNumber = 0;
  #generation = 0;

  constructor(router: Router, options: CacheOptions) {
    this.#router = router;
    this.#options = options;
    this.#kept = new AnswerStore(options.answers);
  }

  /** Takes note that something in the workspace changed: nobody can tell which answers that concerns. */
  note(): void {
    this.#generation += 1;
    this.#kept.clear();
  }

  /**
   * Answers a question that these servers are for.
   * @param isWithheld Whether a server is not asked that would be, were it trusted.
   */
  async ask<K extends QuestionKind>(
    question: Question<K>,
    {
      slots,
      isBlocked: isWithheld,
    }: { readonly slots: readonly ServerSlot[]; readonly isBlocked: () => boolean },
    call: Call,
    ask: AskServers<K>,
  ): Promise<Reply<AnswerOf<K>>> {
    const questionCache: QuestionCache<AnswerOf<K>> = this.#questions[question.kind];
    if (questionCache.policy === 'asked') return ask(call);
    const chosen = slots.map(({ definition, root }) => `${definition.id} ${root}`);
    // What is kept is the same truth for all who ask: each may see the whole workspace, and it depends on nobody's time.
    // That one could learn from a fast answer what another asked, a server that is warm tells it too.
    const key = [this.#keys.of(question), ...chosen].join('\0');
    const isKept = this.#options.answers > 0 && questionCache.policy === 'kept' && !isWithheld();
    const known = isKept ? this.#kept.get(questionCache.cached, key) : undefined;
    if (known) {
      for (const slot of slots) slot.postponeIdleStop();
      return known;
    }
    const isNothing = (answer: AnswerOf<K>) => rows[question.kind].count(answer, question) === 0;
    const askAnew = (inner: Call) =>
      isKept ? this.#askToKeep(questionCache, key, isNothing, inner, ask) : ask(inner);
    if (!this.#options.share) return askAnew(call);
    // What is in flight is not shared between them: how it ends depends on who asked, and how long that one waits.
    const inFlight = [`${this.#generation}${this.#sessions()}`, JSON.stringify(call.scope), key].join('\0');
    return coalesce(questionCache.inFlight, inFlight, call, askAnew);
  }

  async #askToKeep<K extends QuestionKind>(
    { cached }: QuestionCache<AnswerOf<K>>,
    key: string,
    isNothing: (answer: AnswerOf<K>) => boolean,
    call: Call,
    ask: AskServers<K>,
  ): Promise<Reply<AnswerOf<K>>> {
    const before = this.#generation;
    const snapshot = new ServerSnapshot(this.#router);
    const reply = await ask(call, snapshot);
    const sessions = this.#sessions();
    const isCurrent = () => sessions === this.#sessions() && snapshot.isUnchanged;
    // That there is nothing is worth being asked again: nothing is what a server in trouble says too.
    if (isNothing(reply.answer)) return reply;
    const isWhole = reply.doubts.length === 0 && before === this.#generation && snapshot.wasStable;
    if (isWhole && isCurrent()) this.#kept.set(cached, key, { reply, isCurrent });
    return reply;
  }

  /** Which sessions there are. */
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

/** How a kind of question is spared: its answers are kept, or shared with who asks the same moment, or it is asked each time. */
type CachePolicy = 'kept' | 'shared' | 'asked';

/** What is under way and known of one kind of question. */
class QuestionCache<T> {
  readonly policy: CachePolicy;
  readonly inFlight: InFlight<T> = new Map();
  readonly cached: CachedAnswers<T> = new Map();

  constructor(treatment: CachePolicy) {
    this.policy = treatment;
  }
}

/** One for each kind of question. What proposes a change is asked for each time, and so is what nobody asks twice. */
function newQuestionCaches(): { readonly [K in QuestionKind]: QuestionCache<AnswerOf<K>> } {
  return {
    definition: new QuestionCache('kept'),
    declaration: new QuestionCache('kept'),
    type: new QuestionCache('kept'),
    implementations: new QuestionCache('kept'),
    references: new QuestionCache('kept'),
    calls: new QuestionCache('kept'),
    types: new QuestionCache('kept'),
    hover: new QuestionCache('kept'),
    outline: new QuestionCache('kept'),
    symbols: new QuestionCache('kept'),
    completions: new QuestionCache('shared'),
    signatures: new QuestionCache('shared'),
    hints: new QuestionCache('shared'),
    actions: new QuestionCache('asked'),
    rename: new QuestionCache('asked'),
    moves: new QuestionCache('asked'),
    format: new QuestionCache('asked'),
  };
}

/** Words questions so that those that mean the same are worded the same. */
class QuestionKeys {
  /** Lists of files can be long, and who asks again about the same name has the same list. */
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
