import type { Question, QuestionKind } from '../../../core/questions.ts';

/** Words questions so that those that mean the same are worded the same. */
export class QuestionKeys {
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
