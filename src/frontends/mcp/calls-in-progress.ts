import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';

/**
 * Counts the calls that are being answered, so that a flood of them does not hold up those that came before. Where several
 * may ask, none takes more than its share: a call can go on though its client has hung up, which the door does not see.
 */
export class CallsInFlight {
  #count = 0;
  readonly #countOf = new Map<string, number>();

  get count(): number {
    return this.#count;
  }

  /** Does the work of a call; beyond the bounds it is refused at once. */
  async take<T>(work: () => Promise<T>, scope?: string): Promise<T> {
    if (this.#count >= limits.callsInFlight) throw tooMany(`${limits.callsInFlight} calls are`);
    if (scope !== undefined && this.#of(scope) >= limits.http.inFlightOfToken)
      throw tooMany(`${limits.http.inFlightOfToken} calls with this token are`);
    this.#add(scope, 1);
    return work().finally(() => this.#add(scope, -1));
  }

  #of(scope: string): number {
    return this.#countOf.get(scope) ?? 0;
  }

  #add(scope: string | undefined, more: 1 | -1): void {
    this.#count += more;
    if (scope === undefined) return;
    const count = this.#of(scope) + more;
    if (count > 0) this.#countOf.set(scope, count);
    else this.#countOf.delete(scope);
  }
}

function tooMany(calls: string): LspanError {
  return new LspanError('busy', `${calls} being answered already.`, {
    nextStep: 'Call again when one of the earlier calls was answered.',
  });
}
