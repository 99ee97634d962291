import { setImmediate } from 'node:timers/promises';
import { type Call, cancelSignalOf } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { asLspanError, LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Proposal } from '../../core/proposal.ts';
import type { FileMove } from '../../core/questions.ts';
import { visibleLine } from '../../core/wording/visible.ts';
import type { Plan } from '../../edits/plan.ts';
import { unifiedDiff } from '../../edits/text/unified-diff.ts';
import type { Result, ToolContext } from '../run/tool.ts';
import type { ApplyOptions, ChangeData, ChangeRequest } from './change-data.ts';
import { scopeOf } from './change-scope.ts';
import {
  type DiagnosticsSource,
  deltaSince,
  inTime,
  openDiagnosticsSource,
  previewDelta,
  snapshotBefore,
} from './diagnostics-delta.ts';
import { showDelta, showEdit, showFiles } from './show-change.ts';

/** Plans a proposal; previews it, or carries it out. */
export async function previewOrApply(
  context: ToolContext,
  proposal: Proposal,
  wish: ChangeRequest,
  call: Call,
): Promise<Result<ChangeData>> {
  const { title, allow_protected = [], doubts = [] } = wish;
  const isCompared = wish.check && wish.dry_run && !context.edits.stage;
  const disk = isCompared ? openDiagnosticsSource(context, editedIn(context, proposal), call) : undefined;
  const plan = await meanwhile(() =>
    context.edits.plan(proposal, { title, allowProtected: allow_protected, doubts }),
  );
  if (!wish.dry_run && plan.confirm.length > 0) throw wantsConfirmation(plan);
  return previewOrApplyPlan(context, plan, wish, call, disk);
}

/** Carries out, or shows, a plan. */
export async function previewOrApplyPlan(
  context: ToolContext,
  plan: Plan,
  wish: ApplyOptions,
  call: Call,
  disk?: DiagnosticsSource,
): Promise<Result<ChangeData>> {
  const { doubts = [], operations } = plan;
  if (operations.length === 0) return { data: {}, doubts };
  if (context.edits.stage) return { data: { step: stage(context, plan, wish) }, doubts };
  if (wish.dry_run) return { data: { plan: await preview(context, plan, wish, call, disk) }, doubts };
  if (doubts.length > 0 && !wish.allow_incomplete) throw incomplete(plan, doubts);
  return { data: { edit: await carryOut(context, plan, wish, call) }, doubts };
}

/** Puts a plan together with others; what would keep it from being carried out alone keeps it from that too. */
function stage(context: ToolContext, plan: Plan, wish: ApplyOptions): ChangeData['step'] {
  const { title, files, doubts = [] } = plan;
  if (!wish.dry_run && doubts.length > 0 && !wish.allow_incomplete) throw incomplete(plan, doubts);
  context.edits.stage?.(plan);
  return { title, files: showFiles(context, files) };
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
    meanwhile(() => unifiedDiff(files, (path) => visibleLine(context.workspace.show(path)))),
  ]);
  return {
    plan_id: id,
    title,
    files: showFiles(context, files),
    diff,
    ...(confirm.length > 0 ? { confirm: [...confirm] } : {}),
    ...(doubts.length > 0 ? { incomplete: true as const } : {}),
    ...(delta ? showDelta(context, delta) : {}),
  };
}

/** The files whose texts a proposal changes where they are, as many as are compared. */
function editedIn({ workspace }: ToolContext, { steps }: Proposal): readonly string[] {
  const isText = steps.every(({ kind }) => kind === 'edit');
  const edited = steps.flatMap((step) => (step.kind === 'edit' ? [workspace.fromUri(step.uri)] : []));
  const inside = edited.filter(({ standing }) => standing === 'inside').map(({ path }) => path);
  return isText ? [...new Set(inside)].slice(0, limits.change.compared) : [];
}

/** Does something while servers are busy with what they were just asked. */
async function meanwhile<T>(work: () => T): Promise<T> {
  await setImmediate();
  return work();
}

async function carryOut(
  context: ToolContext,
  plan: Plan,
  wish: ApplyOptions,
  call: Call,
): Promise<ChangeData['edit']> {
  const scope = wish.check ? await scopeOf(context, plan, wish.dependents, call) : undefined;
  const old = scope && (await snapshotBefore(context, scope, call));
  cancelSignalOf(call).throwIfAborted();
  const edit = await context.edits.apply(plan, call);
  // From here on the edit is on the disk: whatever fails is told beside that.
  const troubles = await tellServers(context, wish.moves ?? movesOf(plan), old !== undefined, call);
  const delta = scope && old && (await deltaSince(context, old, scope, call));
  return {
    ...showEdit(context, edit),
    ...(delta ? showDelta(context, { ...delta, because: [...troubles, ...delta.because] }) : {}),
  };
}

/** Has the servers see the disk as it is now; what keeps them from it is told, and no failure. */
async function tellServers(
  { workspace, backend }: ToolContext,
  moves: readonly FileMove[],
  isAsked: boolean,
  call: Call,
): Promise<readonly string[]> {
  if (moves.length === 0 && !isAsked) return [];
  const told = inTime(call, 1, async (inner) => {
    const doubts = await workspace.refresh(inner);
    if (moves.length > 0) await backend.servers.filesMoved(moves, inner);
    return doubts.map(({ detail }) => detail);
  });
  return told.catch((thrown: unknown) => [asLspanError(thrown).message]);
}

function movesOf({ operations }: Plan): readonly FileMove[] {
  return operations.flatMap((one) =>
    one.kind === 'move' ? [{ from: one.from, to: one.to, isFolder: one.identity.kind === 'folder' }] : [],
  );
}

function wantsConfirmation({ title, confirm }: Plan): LspanError {
  return new LspanError(
    'refused',
    `${title} wants to be confirmed: ${confirm.join('; ')}. Nothing was changed.`,
    { nextStep: 'Preview it without `dry_run: false`, then apply it by its `plan_id`.' },
  );
}

function incomplete({ title }: Plan, doubts: readonly Doubt[]): LspanError {
  const why = [...new Set(doubts.map(({ detail }) => detail))].join(' ');
  return new LspanError('refused', `${title} is in doubt, so nothing was changed. ${why}`, {
    nextStep: 'Put that right and call again, or accept it with `allow_incomplete: true`.',
  });
}
