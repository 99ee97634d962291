import type { ProposedStep } from '../../core/proposal.ts';
import { isPathWithin } from '../../platform/files/path-within.ts';
import type { WorkspaceView } from '../edits.ts';
import type { Operation, Plan } from '../plan.ts';
import { type Refusals, refusalsFor } from './refusals.ts';

/** Refuses the whole proposal if one file has an unsaved text: it would be worked out for another text. */
export function refuseUnsavedSteps(
  steps: readonly ProposedStep[],
  view: WorkspaceView,
  refusals: Pick<Refusals, 'unsaved'>,
): void {
  if (view.unsaved().size === 0) return;
  refuse(
    steps.flatMap((step) => touchedBy(step, view)),
    view,
    refusals,
  );
}

/** Like `refuseUnsavedSteps`, but for a plan, whose files may have got unsaved texts since it was made. */
export function refuseUnsavedPlan({ operations }: Plan, view: WorkspaceView): void {
  const show = (path: string) => view.show(path);
  refuse(operations.flatMap(changedBy), view, refusalsFor(show));
}

function refuse(touched: readonly string[], view: WorkspaceView, refusals: Pick<Refusals, 'unsaved'>): void {
  const isTouched = (path: string) => touched.some((place) => isPathWithin(place, path));
  const unsaved = [...view.unsaved().keys()].filter(isTouched);
  if (unsaved.length > 0) throw refusals.unsaved(unsaved.sort());
}

function touchedBy(step: ProposedStep, view: WorkspaceView): readonly string[] {
  if (step.kind === 'rename') return [step.from, step.to].map((uri) => view.entryFromUri(uri).path);
  const entry = view.entryFromUri(step.uri).path;
  // Writing through a link changes its target.
  return step.kind === 'delete' ? [entry] : [entry, view.fromUri(step.uri).path];
}

function changedBy(operation: Operation): readonly string[] {
  return operation.kind === 'move' ? [operation.from, operation.to] : [operation.path];
}
