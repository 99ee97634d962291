import { randomInt } from 'node:crypto';
import { LspanError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { quotePath } from '../core/quote-path.ts';
import type { Content, Operation, Plan } from './plan.ts';

/** Keeps the plans that were previewed, until they are carried out or there are too many; the oldest goes first. */
export class PlanStore {
  readonly #kept = new Map<string, { readonly plan: Plan; readonly bytes: number }>();
  readonly #applied = new Map<string, string>();
  #bytes = 0;

  keep(plan: Plan): void {
    const bytes = bytesOf(plan);
    this.#drop(plan.id);
    this.#kept.set(plan.id, { plan, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      const fits = this.#kept.size <= limits.edit.plans && this.#bytes <= limits.edit.planBytes;
      if (fits || oldest === plan.id) break;
      this.#drop(oldest);
    }
  }

  /** A plan that was made here. Throws where there is none, or it was carried out. */
  find(id: string): Plan {
    const kept = this.#kept.get(id);
    if (kept) return kept.plan;
    const edit = this.#applied.get(id);
    throw edit === undefined ? noPlan(id) : applied(id, edit);
  }

  /** A plan has become an edit: it cannot be carried out again. */
  markApplied(planId: string, editId: string): void {
    this.#drop(planId);
    this.#applied.set(planId, editId);
    const [oldest] = this.#applied.keys();
    if (this.#applied.size > limits.edit.applied && oldest !== undefined) this.#applied.delete(oldest);
  }

  #drop(id: string): void {
    this.#bytes -= this.#kept.get(id)?.bytes ?? 0;
    this.#kept.delete(id);
  }
}

/** An id for a plan, which nobody can guess and which is easy to copy. */
export function newPlanId(): string {
  return `p-${Array.from({ length: 10 }, () => letters[randomInt(letters.length)]).join('')}`;
}

// Without those that look alike.
const letters = 'abcdefghijkmnpqrstuvwxyz23456789';

function bytesOf({ files, operations }: Plan): number {
  const texts = files.reduce((sum, { before, after }) => sum + length(before) + length(after), 0);
  return operations.reduce((sum, operation) => sum + bytesHeld(operation), texts);
}

function length(text: string | undefined): number {
  return text === undefined ? 0 : text.length;
}

function bytesHeld(operation: Operation): number {
  if (operation.kind === 'remove') return size(operation.before);
  return operation.kind === 'put' ? size(operation.before) + size(operation.after) : 0;
}

function size(content: Content | undefined): number {
  return content?.kind === 'file' ? content.bytes.length : 0;
}

function noPlan(id: string): LspanError {
  return new LspanError(
    'not_found',
    `There is no plan ${quotePath(id)}: it may have been made by another lspan, or too long ago.`,
    { nextStep: 'Preview the change again, and pass the plan_id of that answer.' },
  );
}

function applied(id: string, edit: string): LspanError {
  return new LspanError('already_applied', `The plan ${id} has been carried out already, as edit ${edit}.`, {
    nextStep: 'Go on; to take it back, call undo_edit with that edit.',
  });
}
