import type { Reply } from '../../../core/backend.ts';
import { limits } from '../../../core/limits.ts';

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
  /** How each is forgotten, by key, the least recently used first. */
  readonly #order = new Map<string, () => void>();
  #bytes = 0;

  /** @param most The bytes of all together; 0 keeps none. */
  constructor(most: number) {
    this.#most = most;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The answer to a question, if it is still what the servers would say. */
  get<T>(answers: CachedAnswers<T>, key: string): Reply<T> | undefined {
    const kept = answers.get(key);
    const forget = this.#order.get(key);
    if (!kept || !forget) return undefined;
    if (!kept.isCurrent()) {
      forget();
      return undefined;
    }
    this.#order.delete(key);
    this.#order.set(key, forget);
    return kept.reply;
  }

  set<T>(answers: CachedAnswers<T>, key: string, { reply, isCurrent }: CachedReply<T>): void {
    const largest = Math.min(limits.answers.largest, this.#most);
    const bytes = key.length * 2 + weigh(reply.answer, largest);
    if (bytes >= largest) return;
    this.#order.get(key)?.();
    answers.set(key, { reply, isCurrent });
    this.#bytes += bytes;
    this.#order.set(key, () => {
      answers.delete(key);
      this.#order.delete(key);
      this.#bytes -= bytes;
    });
    for (const forget of this.#order.values()) {
      if (this.#bytes <= this.#most) break;
      forget();
    }
  }

  clear(): void {
    for (const forget of [...this.#order.values()]) forget();
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
