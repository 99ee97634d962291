import { limits } from '../../core/limits.ts';
import { BoundedCache, SharedQuota } from '../../core/runtime/bounded-cache.ts';
import type { Edits, Engine } from '../../edits/edits.ts';
import { PlanStore } from '../../edits/plan-store.ts';
import { newCallerState, newQuotas } from '../state/caller-state.ts';
import { Outlines } from '../state/outlines.ts';
import type { ListSnapshot, ToolContext, ToolState } from './tool.ts';

/** What the worlds of all who ask have in common. */
export interface SharedContext extends Omit<ToolContext, keyof ToolState | 'edits'> {
  readonly edits: Engine;
}

/**
 * The world as each who asks sees it: the same files, servers and history of edits, but cursors, actions, `since` and
 * plans of their own. What one was given is to another as if it had never been given out. Outlines are what the files
 * say, which all may read.
 */
export class ContextsByCaller {
  readonly #common: SharedContext;
  readonly #quotas = { ...newQuotas(), plans: new SharedQuota(limits.edit.planBytes) };
  readonly #outlines = new Outlines();
  /** Of those who ask without saying who they are. */
  readonly #unnamed: ToolContext;
  /** By scope. */
  readonly #named = new BoundedCache<OwnContext>({
    count: limits.http.tokens,
    onEvict: ({ forget }) => forget(),
  });

  constructor(common: SharedContext) {
    this.#common = common;
    this.#unnamed = contextOf(common, newCallerState(undefined, this.#outlines), common.edits);
  }

  /** The world of who asks. Of more than may hold a token at once, the one who has not asked for longest is forgotten. */
  of(scope: string | undefined): ToolContext {
    if (scope === undefined) return this.#unnamed;
    const known = this.#named.get(scope);
    const own = known ?? this.#make();
    if (!known) this.#named.set(scope, own);
    return own.context;
  }

  #make(): OwnContext {
    const plans = new PlanStore(this.#quotas.plans);
    const state = newCallerState<ListSnapshot>(this.#quotas, this.#outlines);
    const context = contextOf(this.#common, state, this.#common.edits.keepingIn(plans));
    const { lists, actions, problems } = state;
    const forget = () => {
      for (const one of [lists, actions, problems, plans]) one.close();
    };
    return { context: context, forget };
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
  /** Frees what it remembers: calls that are under way leave nothing behind either. */
  readonly forget: () => void;
}
