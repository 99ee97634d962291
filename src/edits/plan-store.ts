import { randomInt } from 'node:crypto';
import { LspanError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { BoundedCache, SharedQuota } from '../core/runtime/bounded-cache.ts';
import { quotePath } from '../core/wording/quote-path.ts';
import { planPrefix } from './apply/journal.ts';
import type { Content, Operation, Plan } from './plan.ts';

/** Keeps previewed plans until they are applied, there are too many, or one has not been used for long. */
export class PlanStore {
  readonly #kept: BoundedCache<Plan>;
  /** The edits that plans became, by plan; `undefined` if a plan was not applied. */
  readonly #edits = new BoundedCache<string | undefined>({ count: limits.edit.fates });

  constructor(
    quota: SharedQuota = new SharedQuota(limits.edit.planBytes),
    /** Counts milliseconds. */
    now: () => number = () => performance.now(),
  ) {
    this.#kept = new BoundedCache({ quota, count: limits.edit.plans, unused: limits.edit.planUnused, now });
  }

  keep(plan: Plan): void {
    this.#kept.set(plan.id, plan, bytesOf(plan));
    this.#edits.set(plan.id, undefined);
  }

  /** Returns a plan that was kept here. Throws if there is none, it has been dropped, or it was applied. */
  find(id: string): Plan {
    const plan = this.#kept.get(id);
    if (plan) return plan;
    if (!this.#edits.has(id)) throw noPlan(id);
    const edit = this.#edits.peek(id);
    throw edit === undefined ? dropped(id) : applied(id, edit);
  }

  /** Records that a plan became an edit, so that it cannot be applied again. */
  markApplied(planId: string, editId: string): void {
    this.#kept.delete(planId);
    this.#edits.set(planId, editId);
  }

  /** True if an edit was one of the plans kept here. */
  hasMade(editId: string): boolean {
    return [...this.#edits].some(([, edit]) => edit === editId);
  }

  /** Drops all plans for good. */
  close(): void {
    this.#kept.close();
    this.#edits.clear();
  }
}

/** Returns an id for a plan that cannot be guessed and is easy to copy. */
export function newPlanId(): string {
  return `${planPrefix}${Array.from({ length: 10 }, () => letters[randomInt(letters.length)]).join('')}`;
}

// Without letters that look alike.
const letters = 'abcdefghijkmnpqrstuvwxyz23456789';

function bytesOf({ files, operations }: Plan): number {
  const texts = files.reduce((sum, { before, after }) => sum + length(before) + length(after), 0);
  const frames = limits.edit.planItem * (files.length + operations.length);
  return operations.reduce((sum, operation) => sum + bytesOfOperation(operation), texts + frames);
}

function length(text: string | undefined): number {
  return text === undefined ? 0 : text.length;
}

function bytesOfOperation(operation: Operation): number {
  if (operation.kind === 'remove') return size(operation.before);
  return operation.kind === 'put' ? size(operation.before) + size(operation.after) : 0;
}

function size(content: Content | undefined): number {
  return content?.kind === 'file' ? content.bytes.length : 0;
}

/** Does not say if another caller has the plan, so that guessing reveals nothing. */
function noPlan(id: string): LspanError {
  const message = `There is no plan ${quotePath(id)}: it may belong to another lspan, token or workspace, or be too old.`;
  return new LspanError('not_found', message, { nextStep: previewAgain });
}

function dropped(id: string): LspanError {
  const message = `The plan ${id} has expired: it is too old, or too many newer plans exist.`;
  return new LspanError('stale', message, { nextStep: previewAgain });
}

const previewAgain = 'Preview the change again, and pass the plan_id of that answer.';

function applied(id: string, edit: string): LspanError {
  return new LspanError('already_applied', `The plan ${id} was already applied, as edit ${edit}.`, {
    nextStep: 'Go on; to undo it, call undo_edit with that edit.',
  });
}
