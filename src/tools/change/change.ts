import { setImmediate } from 'node:timers/promises';
import { type Call, cancelSignalOf, withinPart } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { asLspanError, LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Proposal } from '../../core/proposal.ts';
import type { FileMove } from '../../core/question.ts';
import { visibleLine } from '../../core/wording/visible.ts';
import type { Plan } from '../../edits/plan.ts';
import { unifiedDiff } from '../../edits/text/unified-diff.ts';
import type { Result, ToolContext } from '../run/tool.ts';
import type { ApplyOptions, ChangeData, ChangeRequest } from './change-data.ts';
import { scopeOf } from './change-scope.ts';
import {
  type DiagnosticsSource,
  deltaSince,
  openDiagnosticsSource,
  previewDelta,
  snapshotBefore,
} from './diagnostics-delta.ts';
import { toComparison, toEditData, toFilesData } from './to-change-data.ts';

/** Plans a proposal, and previews or applies it. */
export async function previewOrApply(
  context: ToolContext,
  proposal: Proposal,
  request: ChangeRequest,
  call: Call,
): Promise<Result<ChangeData>> {
  const { title, allow_protected = [], doubts = [] } = request;
  const isCompared = request.check && request.dry_run && !context.edits.stage;
  const disk = isCompared ? openDiagnosticsSource(context, editedIn(context, proposal), call) : undefined;
  const plan = await afterSending(() =>
    context.edits.plan(proposal, { title, allowProtected: allow_protected, doubts }),
  );
  if (!request.dry_run && plan.confirm.length > 0) throw needsConfirmation(plan);
  return previewOrApplyPlan(context, plan, request, call, disk);
}

/** Previews or applies a plan. */
export async function previewOrApplyPlan(
  context: ToolContext,
  plan: Plan,
  options: ApplyOptions,
  call: Call,
  disk?: DiagnosticsSource,
): Promise<Result<ChangeData>> {
  const { doubts = [], operations } = plan;
  if (operations.length === 0) return { data: {}, doubts };
  if (context.edits.stage) return { data: { step: addToBatch(context, plan, options) }, doubts };
  if (options.dry_run) return { data: { plan: await preview(context, plan, options, call, disk) }, doubts };
  if (doubts.length > 0 && !options.allow_incomplete) throw incomplete(plan, doubts);
  return { data: { edit: await applyPlan(context, plan, options, call) }, doubts };
}

/** Adds a plan to a batch; refuses what could not be applied alone either. */
function addToBatch(context: ToolContext, plan: Plan, options: ApplyOptions): ChangeData['step'] {
  const { title, files, doubts = [] } = plan;
  if (!options.dry_run && doubts.length > 0 && !options.allow_incomplete) throw incomplete(plan, doubts);
  context.edits.stage?.(plan);
  return { title, files: toFilesData(context, files) };
}

async function preview(
  context: ToolContext,
  plan: Plan,
  { check, dependents }: ApplyOptions,
  call: Call,
  disk?: DiagnosticsSource,
): Promise<ChangeData['plan']> {
  const { id, title, files, confirm, doubts = [] } = plan;
  const compare = async () =>
    previewDelta(context, plan, await scopeOf(context, plan, dependents, call), call, disk);
  const [delta, diff] = await Promise.all([
    check ? compare() : undefined,
    afterSending(() => unifiedDiff(files, (path) => visibleLine(context.workspace.show(path)))),
  ]);
  return {
    plan_id: id,
    title,
    files: toFilesData(context, files),
    diff,
    ...(confirm.length > 0 ? { confirm: [...confirm] } : {}),
    ...(doubts.length > 0 ? { incomplete: true as const } : {}),
    ...(delta ? toComparison(context, delta) : {}),
  };
}

/** Returns the files that a proposal of text edits changes, up to the number that is compared. */
function editedIn({ workspace }: ToolContext, { steps }: Proposal): readonly string[] {
  const isText = steps.every(({ kind }) => kind === 'edit');
  const edited = steps.flatMap((step) => (step.kind === 'edit' ? [workspace.fromUri(step.uri)] : []));
  const inside = edited.filter(({ standing }) => standing === 'inside').map(({ path }) => path);
  return isText ? [...new Set(inside)].slice(0, limits.change.compared) : [];
}

/** Runs work after the pending requests have been sent, while the servers are busy with them. */
async function afterSending<T>(work: () => T): Promise<T> {
  await setImmediate();
  return work();
}

async function applyPlan(
  context: ToolContext,
  plan: Plan,
  options: ApplyOptions,
  call: Call,
): Promise<ChangeData['edit']> {
  const scope = options.check ? await scopeOf(context, plan, options.dependents, call) : undefined;
  const old = scope && (await snapshotBefore(context, scope, call));
  cancelSignalOf(call).throwIfAborted();
  const edit = await context.edits.apply(plan, call);
  // The edit is on the disk from here on: a failure is reported together with it.
  const errors = await notifyServers(context, options.moves ?? movesOf(plan), old !== undefined, call);
  const delta = scope && old && (await deltaSince(context, old, scope, call));
  return {
    ...toEditData(context, edit),
    ...(delta ? toComparison(context, { ...delta, reasons: [...errors, ...delta.reasons] }) : {}),
  };
}

/** Makes the servers see the disk as it is now. Returns what prevents that, and never fails. */
async function notifyServers(
  { workspace, backend }: ToolContext,
  moves: readonly FileMove[],
  isAsked: boolean,
  call: Call,
): Promise<readonly string[]> {
  if (moves.length === 0 && !isAsked) return [];
  const notified = withinPart(call, { margin: limits.change.margin }, async (inner) => {
    const doubts = await workspace.refresh(inner);
    if (moves.length > 0) await backend.servers.filesMoved(moves, inner);
    return doubts.map(({ detail }) => detail);
  });
  return notified.catch((thrown: unknown) => [asLspanError(thrown).message]);
}

function movesOf({ operations }: Plan): readonly FileMove[] {
  return operations.flatMap((one) =>
    one.kind === 'move' ? [{ from: one.from, to: one.to, isFolder: one.identity.kind === 'folder' }] : [],
  );
}

function needsConfirmation({ title, confirm }: Plan): LspanError {
  return new LspanError(
    'refused',
    `${title} needs confirmation: ${confirm.join('; ')}. Nothing was changed.`,
    { nextStep: 'Preview it without `dry_run: false`, then apply it by its `plan_id`.' },
  );
}

function incomplete({ title }: Plan, doubts: readonly Doubt[]): LspanError {
  const why = [...new Set(doubts.map(({ detail }) => detail))].join(' ');
  return new LspanError('refused', `${title} is in doubt, so nothing was changed. ${why}`, {
    nextStep: 'Fix that and call again, or accept it with `allow_incomplete: true`.',
  });
}
