import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';

/** Counts the calls of a client that are being answered, so that a flood of them does not hold up those that came before. */
export class CallsInFlight {
  #count = 0;

  /** Does the work of a call; beyond the bound it is refused at once. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#count >= limits.callsInFlight) throw tooMany();
    this.#count += 1;
    return work().finally(() => {
      this.#count -= 1;
    });
  }
}

function tooMany(): LspanError {
  return new LspanError('busy', `${limits.callsInFlight} calls are being answered already.`, {
    nextStep: 'Call again when one of the earlier calls was answered.',
  });
}
