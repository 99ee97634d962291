import { limits } from '../../core/limits.ts';
import { SharedRoom } from '../../core/runtime/bounded-cache.ts';
import type { Edits, Engine } from '../../edits/edits.ts';
import { PlanStore } from '../../edits/plan-store.ts';
import { newMemories, newRooms } from '../state/caller-state.ts';
import { Outlines } from '../state/outlines.ts';
import type { ListSnapshot, ToolMemories, World } from './tool.ts';

/** What the worlds of all who ask have in common. */
export interface Common extends Omit<World, keyof ToolMemories | 'edits'> {
  readonly edits: Engine;
}

/**
 * The world as each who asks sees it: the same files, servers and history of edits, but cursors, actions, `since` and
 * plans of their own. What one was given is to another as if it had never been given out. Outlines are what the files
 * say, which all may read.
 */
export class Worlds {
  readonly #common: Common;
  readonly #rooms = { ...newRooms(), plans: new SharedRoom(limits.edit.planBytes) };
  readonly #outlines = new Outlines();
  /** Of those who ask without saying who they are. */
  readonly #unnamed: World;
  /** By scope, the least recently used first. */
  readonly #named = new Map<string, OwnWorld>();

  constructor(common: Common) {
    this.#common = common;
    this.#unnamed = worldOf(common, newMemories(undefined, this.#outlines), common.edits);
  }

  /** The world of who asks. Of more than may hold a token at once, the one who has not asked for longest is forgotten. */
  of(scope: string | undefined): World {
    if (scope === undefined) return this.#unnamed;
    const own = this.#named.get(scope) ?? this.#make();
    this.#named.delete(scope);
    this.#named.set(scope, own);
    for (const [oldest, { forget }] of this.#named) {
      if (this.#named.size <= limits.http.tokens) break;
      this.#named.delete(oldest);
      forget();
    }
    return own.world;
  }

  #make(): OwnWorld {
    const plans = new PlanStore(this.#rooms.plans);
    const memories = newMemories<ListSnapshot>(this.#rooms, this.#outlines);
    const world = worldOf(this.#common, memories, this.#common.edits.keepingIn(plans));
    const { lists, actions, problems } = memories;
    const forget = () => {
      for (const one of [lists, actions, problems, plans]) one.close();
    };
    return { world, forget };
  }
}

function worldOf(common: Common, memories: ToolMemories, edits: Edits): World {
  return {
    ...common,
    ...memories,
    edits,
    get notices() {
      return common.notices;
    },
  };
}

interface OwnWorld {
  readonly world: World;
  /** Frees what it remembers: calls that are under way leave nothing behind either. */
  readonly forget: () => void;
}
