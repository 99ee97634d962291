import { limits } from '../../core/limits.ts';
import { BoundedCache, SharedQuota } from '../../core/runtime/bounded-cache.ts';
import type { Edits, Engine } from '../../edits/edits.ts';
import { PlanStore } from '../../edits/plan-store.ts';
import { newCallerState, newQuotas } from '../state/caller-state.ts';
import { KeptTexts } from '../state/kept-texts.ts';
import { Outlines } from '../state/outlines.ts';
import type { ListSnapshot, ToolContext, ToolState } from './tool.ts';

/** The part of the context that all callers share. */
export interface SharedContext extends Omit<ToolContext, keyof ToolState | 'edits'> {
  readonly edits: Engine;
}

/**
 * Keeps the context of each caller. Files, servers, outlines (what every caller may read in the files) and the
 * history of edits are shared. Cursors, actions, `since` tokens and plans are not: a caller cannot use another
 * caller's.
 */
export class ContextsByCaller {
  readonly #common: SharedContext;
  readonly #quotas = { ...newQuotas(), plans: new SharedQuota(limits.edit.planBytes) };
  readonly #outlines = new Outlines();
  readonly #texts: KeptTexts;
  /** The context of callers that pass no scope. */
  readonly #unnamed: ToolContext;
  /** By scope. */
  readonly #named = new BoundedCache<OwnContext>({
    count: limits.http.tokens,
    onEvict: ({ forget }) => forget(),
  });

  constructor(common: SharedContext) {
    this.#common = common;
    this.#texts = new KeptTexts(common.workspace);
    const state = newCallerState<ListSnapshot>(undefined, this.#outlines, this.#texts);
    this.#unnamed = contextOf(common, state, common.edits);
  }

  /**
   * Returns the context of a caller, who may be allowed less than others; forgets the least recently used beyond as many
   * as may hold a token at once.
   */
  of(scope: string | undefined, { readOnly = false }: { readonly readOnly?: boolean } = {}): ToolContext {
    const own = this.#of(scope);
    return readOnly && !own.readOnly ? { ...own, readOnly } : own;
  }

  #of(scope: string | undefined): ToolContext {
    if (scope === undefined) return this.#unnamed;
    const known = this.#named.get(scope);
    const own = known ?? this.#make();
    if (!known) this.#named.set(scope, own);
    return own.context;
  }

  /** Forgets the state of a caller who has gone. */
  forget(scope: string): void {
    this.#named.get(scope)?.forget();
    this.#named.delete(scope);
  }

  /** Ends what callers do in the background. */
  close(): void {
    this.#unnamed.conversations.close();
    for (const [, { context }] of this.#named) context.conversations.close();
  }

  #make(): OwnContext {
    const plans = new PlanStore(this.#quotas.plans);
    const state = newCallerState<ListSnapshot>(this.#quotas, this.#outlines, this.#texts);
    const context = contextOf(this.#common, state, this.#common.edits.keepingIn(plans));
    const { lists, actions, problems, conversations } = state;
    const forget = () => {
      for (const one of [lists, actions, problems, plans, conversations]) one.close();
    };
    return { context, forget };
  }
}

function contextOf(common: SharedContext, state: ToolState, edits: Edits): ToolContext {
  return {
    ...common,
    ...state,
    edits,
    get notices() {
      return common.notices;
    },
  };
}

interface OwnContext {
  readonly context: ToolContext;
  /** Frees the state and closes its stores, so that calls in progress add nothing to them. */
  readonly forget: () => void;
}
