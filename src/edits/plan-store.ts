import { randomInt } from 'node:crypto';
import { LspanError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { BoundedCache, SharedQuota } from '../core/runtime/bounded-cache.ts';
import { quotePath } from '../core/wording/quote-path.ts';
import type { Content, Operation, Plan } from './plan.ts';

/** Keeps the plans that were previewed, until they are carried out, there are too many, or nobody has used one for long. */
export class PlanStore {
  readonly #kept: BoundedCache<Plan>;
  /** What became of the plans that were given out here: the edit that each was carried out as, if it was. */
  readonly #fates = new BoundedCache<string | undefined>({ count: limits.edit.fates });

  constructor(
    quota: SharedQuota = new SharedQuota(limits.edit.planBytes),
    /** Counts milliseconds. */
    now: () => number = () => performance.now(),
  ) {
    this.#kept = new BoundedCache({ quota, count: limits.edit.plans, unused: limits.edit.planUnused, now });
  }

  keep(plan: Plan): void {
    this.#kept.set(plan.id, plan, bytesOf(plan));
    this.#fates.set(plan.id, undefined);
  }

  /** A plan that was made here. Throws where there is none, it has been forgotten, or was carried out. */
  find(id: string): Plan {
    const plan = this.#kept.get(id);
    if (plan) return plan;
    if (!this.#fates.has(id)) throw noPlan(id);
    const edit = this.#fates.peek(id);
    throw edit === undefined ? forgotten(id) : applied(id, edit);
  }

  /** A plan has become an edit: it cannot be carried out again. */
  markApplied(planId: string, editId: string): void {
    this.#kept.delete(planId);
    this.#fates.set(planId, editId);
  }

  /** Whether an edit is one of the plans that were kept here. */
  hasMade(editId: string): boolean {
    return [...this.#fates].some(([, edit]) => edit === editId);
  }

  /** Forgets all, for good. */
  close(): void {
    this.#kept.close();
    this.#fates.clear();
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
  const frames = limits.edit.planItem * (files.length + operations.length);
  return operations.reduce((sum, operation) => sum + bytesHeld(operation), texts + frames);
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

/** Whether it was given to another is not said: who guesses learns nothing. */
function noPlan(id: string): LspanError {
  const message = `There is no plan ${quotePath(id)}: it may have been made by another lspan, for another token or workspace, or too long ago.`;
  return new LspanError('not_found', message, { nextStep: previewAgain });
}

function forgotten(id: string): LspanError {
  const message = `The plan ${id} is not known any more: it was made too long ago, or too many others since.`;
  return new LspanError('stale', message, { nextStep: previewAgain });
}

const previewAgain = 'Preview the change again, and pass the plan_id of that answer.';

function applied(id: string, edit: string): LspanError {
  return new LspanError('already_applied', `The plan ${id} has been carried out already, as edit ${edit}.`, {
    nextStep: 'Go on; to take it back, call undo_edit with that edit.',
  });
}
