import { limits } from '../core/limits.ts';
import type { Proposal, ProposedStep } from '../core/proposal.ts';
import { isWithin } from '../platform/is-within.ts';
import { Draft } from './draft.ts';
import { draftTree } from './draft-tree.ts';
import type { Grounds, PlanOptions } from './edits.ts';
import type { Operation, Plan } from './plan.ts';
import { newPlanId } from './plan-store.ts';
import { type Refusals, refusalsFor } from './refusals.ts';
import { settleDraft } from './settle-draft.ts';
import { takeStep, targetOf, urisOf } from './take-step.ts';
import type { Tree } from './tree.ts';

/** What a plan is made over. */
export interface PlanSite {
  readonly grounds: Grounds;
  readonly tree: Tree;
}

/**
 * Compares a proposal with the disk, and works out exactly what has to be done. Nothing is written. Throws where any
 * part of the proposal cannot be done as it was said. A proposal that changes nothing is a plan without operations.
 */
export function makePlan(proposal: Proposal, options: PlanOptions, site: PlanSite): Plan {
  const { grounds } = site;
  const { after = [] } = options;
  const tree = after.length > 0 ? draftTree(draftOf(after, site), site.tree) : site.tree;
  const draft = draftOf(proposal.steps, { grounds, tree });
  const { refusals } = draft;
  const { files, operations } = settleDraft(draft);
  if (files.length > limits.edit.files) throw refusals.tooManyFiles();
  return {
    id: newPlanId(),
    title: options.title,
    roots: grounds.roots.filter((root) => operations.some((each) => isTouched(root, each, grounds))),
    files,
    operations,
    protectedPaths: draft.touches.permitted(options.allowProtected ?? []),
    confirm: proposal.confirm,
    ...(options.doubts ? { doubts: options.doubts } : {}),
  };
}

function draftOf(steps: readonly ProposedStep[], { grounds, tree }: PlanSite): Draft {
  const refusals = refusalsFor((path) => grounds.show(path));
  refuseOutside(steps, grounds, refusals);
  const draft = new Draft(grounds, tree, refusals);
  refuseStale(steps, draft, grounds);
  for (const step of steps) takeStep(step, draft, grounds);
  return draft;
}

/** One file outside, and nothing at all is planned. */
function refuseOutside(steps: readonly ProposedStep[], grounds: Grounds, refusals: Refusals): void {
  const uris = steps.flatMap(urisOf);
  const foreign = uris.find((uri) => !/^file:/i.test(uri));
  if (foreign !== undefined) throw refusals.noFile(foreign);
  const edited = steps.flatMap((step) => (step.kind === 'edit' ? [step.uri] : []));
  const admitted = [
    ...uris.map((uri) => grounds.admitEntry(uri)),
    ...edited.map((uri) => grounds.admit(uri)),
  ];
  const outside = admitted.filter(({ standing }) => standing !== 'inside').map(({ path }) => path);
  if (outside.length > 0) throw refusals.outside([...new Set(outside)]);
}

/** All files that are not as their editor saw them are told at once, and before anything else is found wrong. */
function refuseStale(steps: readonly ProposedStep[], draft: Draft, grounds: Grounds): void {
  const stale = steps.flatMap((step) => {
    if (step.kind !== 'edit' || step.seen === undefined) return [];
    const target = targetOf(step.uri, draft, grounds);
    const isStale = target && draft.contents.before(target.file)?.hash !== step.seen;
    return isStale ? [target.place] : [];
  });
  if (stale.length > 0) throw draft.refusals.stale([...new Set(stale)]);
}

function isTouched(root: string, operation: Operation, grounds: Grounds): boolean {
  const paths = operation.kind === 'move' ? [operation.from, operation.to] : [operation.path];
  return paths.some((path) => isWithin(root, path) && grounds.rootOf(path) === root);
}
