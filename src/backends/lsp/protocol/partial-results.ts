import { object, text } from '../../../core/runtime/json.ts';

/** Passes on partial results, by the token that the server was given for them. */
export class PartialResults {
  readonly #takers = new Map<string, (value: unknown) => void>();
  #last = 0;

  /** Returns a token whose partial results go to `take` until it is closed. */
  open(take: (value: unknown) => void): { readonly token: string; close(): void } {
    this.#last += 1;
    const token = `lspan-partial-${this.#last}`;
    this.#takers.set(token, take);
    return { token, close: () => void this.#takers.delete(token) };
  }

  onMessage(method: string, params: unknown): void {
    if (method !== '$/progress' || this.#takers.size === 0) return;
    const { token, value } = object(params);
    this.#takers.get(text(token) ?? '')?.(value);
  }
}
