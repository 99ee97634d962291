import { asLspanError, type LspanError } from '../../../core/errors.ts';
import { allFailed } from '../routing/collect-replies.ts';
import type { ServerSlot } from '../session/server-slot.ts';

/** What the first server says that is able to answer, also where it refuses. */
export async function firstAble<T>(
  slots: readonly ServerSlot[],
  ask: (slot: ServerSlot) => Promise<T>,
): Promise<T> {
  const unable: LspanError[] = [];
  for (const slot of slots) {
    const reply = await ask(slot).catch((thrown: unknown) => {
      const error = asLspanError(thrown);
      if (error.code !== 'not_supported') throw error;
      unable.push(error);
      return undefined;
    });
    if (reply !== undefined) return reply;
  }
  throw allFailed(unable);
}
