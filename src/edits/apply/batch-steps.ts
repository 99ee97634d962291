import type { Step } from './step.ts';

/** A range of steps by index; `to` is excluded. */
export type StepBatch = readonly [from: number, to: number];

/**
 * Returns the batches in which steps are applied and reverted. A power loss only keeps the order of changes in one
 * folder: changes in a folder and a change of that folder must each be on the disk before the other begins, or entries
 * would be under names where recovery does not look.
 */
export function stepBatches(steps: readonly Step[]): readonly StepBatch[] {
  const starts = steps.flatMap((step, index) => {
    const before = steps[index - 1];
    return before === undefined || startsBatch(before, step) ? [index] : [];
  });
  return starts.map((from, index) => [from, starts[index + 1] ?? steps.length]);
}

function startsBatch(before: Step, step: Step): boolean {
  const isMade = before.action.kind === 'make_folder' && step.action.kind !== 'make_folder';
  return isMade || movesFolder(before) || movesFolder(step);
}

function movesFolder({ action }: Step): boolean {
  return action.kind === 'move' && action.identity.kind === 'folder';
}
