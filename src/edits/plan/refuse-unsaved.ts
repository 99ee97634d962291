import type { ProposedStep } from '../../core/proposal.ts';
import { isWithin } from '../../platform/files/is-within.ts';
import type { Grounds } from '../edits.ts';
import type { Operation, Plan } from '../plan.ts';
import { type Refusals, refusalsFor } from './refusals.ts';

/** One file whose present text is not on the disk, and nothing at all is planned: what is worked out there is for another text. */
export function refuseHeldSteps(
  steps: readonly ProposedStep[],
  grounds: Grounds,
  refusals: Pick<Refusals, 'held'>,
): void {
  if (grounds.held().size === 0) return;
  refuse(
    steps.flatMap((step) => touchedBy(step, grounds)),
    grounds,
    refusals,
  );
}

/** The same of a plan, whose files may be held since it was made. */
export function refuseHeldPlan({ operations }: Plan, grounds: Grounds): void {
  const show = (path: string) => grounds.show(path);
  refuse(operations.flatMap(changedBy), grounds, refusalsFor(show));
}

function refuse(touched: readonly string[], grounds: Grounds, refusals: Pick<Refusals, 'held'>): void {
  const isTouched = (path: string) => touched.some((place) => isWithin(place, path));
  const held = [...grounds.held().keys()].filter(isTouched);
  if (held.length > 0) throw refusals.held(held.sort());
}

function touchedBy(step: ProposedStep, grounds: Grounds): readonly string[] {
  if (step.kind === 'rename') return [step.from, step.to].map((uri) => grounds.admitEntry(uri).path);
  const entry = grounds.admitEntry(step.uri).path;
  // What is written through a link is the file.
  return step.kind === 'delete' ? [entry] : [entry, grounds.admit(step.uri).path];
}

function changedBy(operation: Operation): readonly string[] {
  return operation.kind === 'move' ? [operation.from, operation.to] : [operation.path];
}
