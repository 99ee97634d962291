import type { Step } from './step.ts';

/** Steps of which the first and the last are known by their places in the journal; the last is not one of them. */
export type StepBatch = readonly [from: number, to: number];

/**
 * The stretches in which steps are taken, and taken back. A loss of power keeps the order of what was done in one
 * folder, and of no more: what was done in a folder and what was done with that folder must each be on the disk before
 * the other is begun, or things would be found under names that nobody looks for.
 */
export function stepBatches(steps: readonly Step[]): readonly StepBatch[] {
  const starts = steps.flatMap((step, index) => {
    const before = steps[index - 1];
    return before === undefined || parts(before, step) ? [index] : [];
  });
  return starts.map((from, index) => [from, starts[index + 1] ?? steps.length]);
}

function parts(before: Step, step: Step): boolean {
  const isMade = before.action.kind === 'make_folder' && step.action.kind !== 'make_folder';
  return isMade || movesFolder(before) || movesFolder(step);
}

function movesFolder({ action }: Step): boolean {
  return action.kind === 'move' && action.identity.kind === 'folder';
}
