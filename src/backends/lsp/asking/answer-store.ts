import type { Reply } from '../../../core/backend.ts';
import { limits } from '../../../core/limits.ts';
import { BoundedCache, SharedQuota } from '../../../core/runtime/bounded-cache.ts';

/** An answer, and whether all that it depends on is as it was. */
interface CachedReply<T> {
  readonly reply: Reply<T>;
  readonly isCurrent: () => boolean;
}

/** The kept answers to questions of one kind, by question. */
export type CachedAnswers<T> = Map<string, CachedReply<T>>;

/** Keeps answers as long as nothing that they depend on has changed, and as memory allows; never by time. */
export class AnswerStore {
  readonly #most: number;
  /** Where each answer is kept, by key. */
  readonly #places: BoundedCache<Pick<CachedAnswers<unknown>, 'delete'>>;

  /** @param most The bytes of all together; 0 keeps none. */
  constructor(most: number) {
    this.#most = most;
    const onEvict = (place: Pick<CachedAnswers<unknown>, 'delete'>, key: string) => void place.delete(key);
    this.#places = new BoundedCache({ quota: new SharedQuota(most), onEvict });
  }

  get bytes(): number {
    return this.#places.bytes;
  }

  /** The answer to a question, if it is still what the servers would say. */
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

/** The bytes that a value takes in memory, roughly; no more than `most` is counted, so that large ones cost no more. */
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
