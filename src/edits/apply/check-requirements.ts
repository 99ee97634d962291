import { setImmediate } from 'node:timers/promises';
import { limits } from '../../core/limits.ts';
import type { Facts } from '../disk/file-system.ts';
import type { Bench } from '../disk/pinned-disk.ts';
import { meets, requirementsOf } from './requirements.ts';
import type { Action } from './step.ts';

/** What the disk is like where actions need it to be in a certain way. */
export interface Findings {
  /** Paths that are not as they should be. */
  readonly unmet: readonly string[];
  /** What was found, by the action that needs it; of a move, what will be moved. */
  readonly facts: ReadonlyMap<number, Facts>;
}

/** Compares the disk with what actions need; other calls get their turn meanwhile. */
export async function checkRequirements(actions: readonly Action[], { tree }: Bench): Promise<Findings> {
  const facts = new Map<number, Facts>();
  const unmet: string[] = [];
  for (const [count, requirement] of requirementsOf(actions).entries()) {
    const found = meets(requirement, tree);
    if (found === undefined) unmet.push(requirement.path);
    else if (found !== 'nothing') facts.set(requirement.index, found);
    if (count % limits.undo.atOnce === 0) await setImmediate();
  }
  return { unmet, facts };
}
