import { limits } from '../../core/limits.ts';
import type { Proposal, ProposedStep } from '../../core/proposal.ts';
import { isPathWithin } from '../../platform/files/path-within.ts';
import type { Tree } from '../disk/tree.ts';
import type { PlanOptions, WorkspaceView } from '../edits.ts';
import type { Operation, Plan } from '../plan.ts';
import { newPlanId } from '../plan-store.ts';
import { Draft } from './draft.ts';
import { draftStep, targetOf, urisOf } from './draft-step.ts';
import { draftTree } from './draft-tree.ts';
import { finishDraft } from './finish-draft.ts';
import { type Refusals, refusalsFor } from './refusals.ts';
import { refuseUnsavedSteps } from './refuse-unsaved.ts';
import { unsavedTree } from './unsaved-tree.ts';

/** The workspace and the tree that a plan is made on. */
interface PlanContext {
  readonly view: WorkspaceView;
  readonly tree: Tree;
}

/**
 * Compares a proposal with the disk, and works out exactly what has to be done. Writes nothing. Throws if any part of
 * the proposal cannot be done as proposed. A proposal that changes nothing becomes a plan without operations.
 */
export function makePlan(proposal: Proposal, options: PlanOptions, context: PlanContext): Plan {
  const { view } = context;
  const { after = [], tried = false } = options;
  const present = tried ? unsavedTree(context.tree, view.unsaved()) : context.tree;
  const before = { view, tree: present, tried };
  const tree = after.length > 0 ? draftTree(draftOf(after, before), present) : present;
  const draft = draftOf(proposal.steps, { ...before, tree });
  const { refusals } = draft;
  const { files, operations } = finishDraft(draft);
  if (files.length > limits.edit.files) throw refusals.tooManyFiles();
  return {
    id: newPlanId(),
    title: options.title,
    roots: view.roots.filter((root) => operations.some((each) => isTouched(root, each, view))),
    files,
    operations,
    protectedPaths: draft.protectedFiles.permitted(options.allowProtected ?? []),
    confirm: proposal.confirm,
    ...(options.doubts ? { doubts: options.doubts } : {}),
  };
}

function draftOf(
  steps: readonly ProposedStep[],
  { view: given, tree, tried }: PlanContext & { readonly tried: boolean },
): Draft {
  const view = cachedView(given);
  const refusals = refusalsFor((path) => view.show(path));
  refuseOutside(steps, view, refusals);
  if (!tried) refuseUnsavedSteps(steps, view, refusals);
  const draft = new Draft(view, tree, refusals);
  refuseStale(steps, draft, view);
  for (const step of steps) draftStep(step, draft, view);
  return draft;
}

/** Resolves each URI only once: all steps are drafted synchronously, and many are in one folder. */
function cachedView(view: WorkspaceView): WorkspaceView {
  const known = new Map<string, ReturnType<WorkspaceView['entryFromUri']>>();
  return {
    roots: view.roots,
    rootOf: (path) => view.rootOf(path),
    show: (path) => view.show(path),
    fromUri: (uri) => view.fromUri(uri),
    entryFromUri: (uri) => {
      const admitted = known.get(uri) ?? view.entryFromUri(uri);
      known.set(uri, admitted);
      return admitted;
    },
    unsaved: () => view.unsaved(),
  };
}

/** Refuses the whole proposal if one file is outside. */
function refuseOutside(steps: readonly ProposedStep[], view: WorkspaceView, refusals: Refusals): void {
  const uris = steps.flatMap(urisOf);
  // No file name contains a slash: an encoded one would hide the folders of a path.
  const foreign = uris.find((uri) => !/^file:/i.test(uri) || /%2f/i.test(uri));
  if (foreign !== undefined) throw refusals.noFile(foreign);
  const deep = uris.find((uri) => uri.split('/').length > limits.path.levels);
  if (deep !== undefined) throw refusals.tooDeep(deep);
  if (new Set(uris).size > 2 * limits.edit.files) throw refusals.tooManyFiles();
  const edited = steps.flatMap((step) => (step.kind === 'edit' ? [step.uri] : []));
  const admitted = [...uris.map((uri) => view.entryFromUri(uri)), ...edited.map((uri) => view.fromUri(uri))];
  const outside = admitted.filter(({ standing }) => standing !== 'inside').map(({ path }) => path);
  if (outside.length > 0) throw refusals.outside([...new Set(outside)], outside.length === admitted.length);
}

/** Reports all files that have changed since the caller saw them at once, and before any other fault. */
function refuseStale(steps: readonly ProposedStep[], draft: Draft, view: WorkspaceView): void {
  const stale = steps.flatMap((step) => {
    if (step.kind !== 'edit' || step.seen === undefined) return [];
    const target = targetOf(step.uri, draft, view);
    const isStale = target && draft.contents.before(target.file)?.hash !== step.seen;
    return isStale ? [target.place] : [];
  });
  if (stale.length > 0) throw draft.refusals.stale([...new Set(stale)]);
}

function isTouched(root: string, operation: Operation, view: WorkspaceView): boolean {
  const paths = operation.kind === 'move' ? [operation.from, operation.to] : [operation.path];
  return paths.some((path) => isPathWithin(root, path) && view.rootOf(path) === root);
}
