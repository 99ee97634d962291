import { createHash } from 'node:crypto';
import { LspanError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import type { Action } from '../core/questions.ts';

/** Keeps the actions that were offered lately under short ids; the least recently used go first. */
export class OfferedActions {
  readonly #kept = new Map<string, { readonly action: Action; readonly bytes: number }>();
  #bytes = 0;

  /** An id for an action, the same as long as it is offered for the same text. */
  keep(action: Action): string {
    const { server, seen, key, sent, request } = action;
    const id = `a-${createHash('sha256')
      .update(JSON.stringify([server, seen, key]))
      .digest('hex')
      .slice(0, 8)}`;
    const bytes = JSON.stringify([sent, request]).length;
    this.#drop(id);
    this.#kept.set(id, { action, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= limits.actions.kept && this.#bytes <= limits.actions.bytes) break;
      this.#drop(oldest);
    }
    return id;
  }

  /** The action of an id; an error with the next step where there is none. */
  find(id: string): Action {
    const found = this.#kept.get(id);
    if (!found) throw notOffered(id);
    this.#kept.delete(id);
    this.#kept.set(id, found);
    return found.action;
  }

  #drop(id: string): void {
    this.#bytes -= this.#kept.get(id)?.bytes ?? 0;
    this.#kept.delete(id);
  }
}

function notOffered(id: string): LspanError {
  const isId = /^a-[0-9a-f]{8}$/.test(id);
  const message = isId ? `What ${id} stood for is not known any more.` : 'That is no `action_id`.';
  return new LspanError(isId ? 'stale' : 'invalid_input', message, {
    nextStep: 'Call get_code_actions without `action_id`, and take one of the ids that it lists.',
  });
}
