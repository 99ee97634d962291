import type { Reply } from '../../../core/backend.ts';
import { limits } from '../../../core/limits.ts';
import { BoundedCache, SharedQuota } from '../../../core/runtime/bounded-cache.ts';

/** A cached answer, and whether everything it depends on is unchanged. */
interface CachedReply<T> {
  readonly reply: Reply<T>;
  readonly isCurrent: () => boolean;
}

/** Cached answers of one kind of question, by key. */
export type CachedAnswers<T> = Map<string, CachedReply<T>>;

/** Caches answers until something they depend on changes, within a memory limit; never expires by time. */
export class AnswerStore {
  readonly #most: number;
  /** Map that has each answer, by key. */
  readonly #places: BoundedCache<Pick<CachedAnswers<unknown>, 'delete'>>;

  /** @param most Maximum size of all answers in bytes; 0 disables caching. */
  constructor(most: number) {
    this.#most = most;
    const onEvict = (place: Pick<CachedAnswers<unknown>, 'delete'>, key: string) => void place.delete(key);
    this.#places = new BoundedCache({ quota: new SharedQuota(most), onEvict });
  }

  get bytes(): number {
    return this.#places.bytes;
  }

  /** Returns the answer to a question, if it is still valid. */
  get<T>(answers: CachedAnswers<T>, key: string): Reply<T> | undefined {
    const kept = answers.get(key);
    if (!kept || !this.#places.get(key)) return undefined;
    if (kept.isCurrent()) return kept.reply;
    this.#places.delete(key);
    answers.delete(key);
    return undefined;
  }

  set<T>(answers: CachedAnswers<T>, key: string, { reply, isCurrent }: CachedReply<T>): void {
    const largest = Math.min(limits.answers.largest, this.#most);
    const bytes = key.length * 2 + weigh(reply.answer, largest);
    if (bytes >= largest) return;
    answers.set(key, { reply, isCurrent });
    this.#places.set(key, answers, bytes);
  }

  clear(): void {
    for (const [key, place] of this.#places) place.delete(key);
    this.#places.clear();
  }
}

/** Estimates the memory of a value in bytes; stops at `most`, so that large values cost no more. */
export function weigh(value: unknown, most: number): number {
  const pending: unknown[] = [value];
  let bytes = 0;
  while (pending.length > 0 && bytes < most) {
    const next = pending.pop();
    if (typeof next === 'string') bytes += 24 + next.length * 2;
    else if (typeof next !== 'object' || next === null) bytes += 8;
    else if (Array.isArray(next) && next.length * 8 > most) return most;
    else {
      bytes += 32;
      for (const unsaved of Object.values(next)) pending.push(unsaved);
    }
  }
  return Math.min(bytes, most);
}
