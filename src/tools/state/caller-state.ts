import { createHash } from 'node:crypto';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Action } from '../../core/question.ts';
import { BoundedCache, SharedQuota } from '../../core/runtime/bounded-cache.ts';
import { Conversations } from './conversation.ts';
import type { KeptTexts } from './kept-texts.ts';
import { type KeptList, ListSnapshots } from './list-snapshot.ts';
import { Outlines } from './outlines.ts';
import { ProblemSnapshots } from './problem-snapshot.ts';

/** State that tools keep between the calls of a caller. */
export interface CallerState<L extends KeptList> {
  readonly outlines: Outlines;
  /** Problems that earlier answers reported. */
  readonly problems: ProblemSnapshots;
  readonly actions: OfferedActions;
  /** Lists of which only a part was shown. */
  readonly lists: ListSnapshots<L>;
  readonly askedFiles: AskedFiles;
  /** What its conversations know of changed files. */
  readonly conversations: Conversations;
}

/** Quotas of memory, which the states of several callers may share. */
interface Quotas {
  readonly problems: SharedQuota;
  readonly actions: SharedQuota;
  readonly lists: SharedQuota;
}

/** Returns the quotas of all callers together. */
export function newQuotas(): Quotas {
  return {
    problems: new SharedQuota(limits.problemSnapshots.bytes),
    actions: new SharedQuota(limits.actions.bytes),
    lists: new SharedQuota(limits.listSnapshots.bytes),
  };
}

/** Returns the empty state of a new caller. */
export function newCallerState<L extends KeptList>(
  quotas: Quotas = newQuotas(),
  outlines: Outlines = new Outlines(),
  texts: Pick<KeptTexts, 'onChange' | 'read'> = { onChange: () => () => {}, read: async () => {} },
): CallerState<L> {
  return {
    outlines,
    problems: new ProblemSnapshots(quotas.problems),
    actions: new OfferedActions(quotas.actions),
    lists: new ListSnapshots(quotas.lists),
    askedFiles: new AskedFiles(),
    conversations: new Conversations(texts),
  };
}

/** Keeps recently offered actions under short ids; the least recently used go first. */
export class OfferedActions {
  readonly #kept: BoundedCache<Action>;

  constructor(quota: SharedQuota = new SharedQuota(limits.actions.bytes)) {
    this.#kept = new BoundedCache({ quota, count: limits.actions.kept });
  }

  /** Returns the id of an action, the same as long as it is offered for the same text. */
  keep(action: Action): string {
    const { server, seen, key, sent, request } = action;
    const id = `a-${createHash('sha256')
      .update(JSON.stringify([server, seen, key]))
      .digest('hex')
      .slice(0, 8)}`;
    this.#kept.set(id, action, limits.actions.item + JSON.stringify([sent, request]).length);
    return id;
  }

  /** Returns the action of an id. Throws an error with the next step if there is none. */
  find(id: string): Action {
    const found = this.#kept.get(id);
    if (!found) throw notOffered(id);
    return found;
  }

  /** Forgets everything and keeps nothing more. */
  close(): void {
    this.#kept.close();
  }
}

function notOffered(id: string): LspanError {
  const isId = /^a-[0-9a-f]{8}$/.test(id);
  const message = isId ? `${id} has expired.` : 'Invalid `action_id`.';
  return new LspanError(isId ? 'stale' : 'invalid_input', message, {
    nextStep: 'Call get_code_actions without `action_id`, and use an id that it lists.',
  });
}

/** Keeps the files that a caller has asked about, the latest last; the oldest are forgotten. */
export class AskedFiles {
  readonly #paths = new Set<string>();

  /** The real paths. */
  get paths(): readonly string[] {
    return [...this.#paths];
  }

  note(path: string): void {
    this.#paths.delete(path);
    this.#paths.add(path);
    const [oldest] = this.#paths;
    if (this.#paths.size > limits.askedFiles && oldest !== undefined) this.#paths.delete(oldest);
  }
}
