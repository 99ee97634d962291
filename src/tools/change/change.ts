import { setImmediate } from 'node:timers/promises';
import { type Call, endOf } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { asLspanError, LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Proposal } from '../../core/proposal.ts';
import type { FileMove } from '../../core/questions.ts';
import { visibleLine } from '../../core/visible.ts';
import type { Plan } from '../../edits/plan.ts';
import { diffOf } from '../../edits/text/unified-diff.ts';
import type { Result, World } from '../run/tool.ts';
import type { Change, Dealing, Wish } from './change-data.ts';
import { scopeOf } from './change-scope.ts';
import {
  beginLooking,
  deltaSince,
  inTime,
  type Looking,
  lookBefore,
  previewDelta,
} from './diagnostics-delta.ts';
import { showDelta, showEdit, showFiles } from './show-change.ts';

/** Plans a proposal; previews it, or carries it out. */
export async function offerChange(
  world: World,
  proposal: Proposal,
  wish: Wish,
  call: Call,
): Promise<Result<Change>> {
  const { title, allow_protected = [], doubts = [] } = wish;
  const isCompared = wish.check && wish.dry_run && !world.edits.stage;
  const disk = isCompared ? beginLooking(world, editedIn(world, proposal), call) : undefined;
  const plan = await meanwhile(() =>
    world.edits.plan(proposal, { title, allowProtected: allow_protected, doubts }),
  );
  if (!wish.dry_run && plan.confirm.length > 0) throw wantsConfirmation(plan);
  return offerPlan(world, plan, wish, call, disk);
}

/** Carries out, or shows, a plan. */
export async function offerPlan(
  world: World,
  plan: Plan,
  wish: Dealing,
  call: Call,
  disk?: Looking,
): Promise<Result<Change>> {
  const { doubts = [], operations } = plan;
  if (operations.length === 0) return { data: {}, doubts };
  if (world.edits.stage) return { data: { step: stage(world, plan, wish) }, doubts };
  if (wish.dry_run) return { data: { plan: await preview(world, plan, wish, call, disk) }, doubts };
  if (doubts.length > 0 && !wish.allow_incomplete) throw incomplete(plan, doubts);
  return { data: { edit: await carryOut(world, plan, wish, call) }, doubts };
}

/** Puts a plan together with others; what would keep it from being carried out alone keeps it from that too. */
function stage(world: World, plan: Plan, wish: Dealing): Change['step'] {
  const { title, files, doubts = [] } = plan;
  if (!wish.dry_run && doubts.length > 0 && !wish.allow_incomplete) throw incomplete(plan, doubts);
  world.edits.stage?.(plan);
  return { title, files: showFiles(world, files) };
}

async function preview(
  world: World,
  plan: Plan,
  { check, dependents }: Dealing,
  call: Call,
  disk?: Looking,
): Promise<Change['plan']> {
  const { id, title, files, confirm, doubts = [] } = plan;
  const compare = async () =>
    previewDelta(world, plan, await scopeOf(world, plan, dependents, call), call, disk);
  const [delta, diff] = await Promise.all([
    check ? compare() : undefined,
    meanwhile(() => diffOf(files, (path) => visibleLine(world.workspace.show(path)))),
  ]);
  return {
    plan_id: id,
    title,
    files: showFiles(world, files),
    diff,
    ...(confirm.length > 0 ? { confirm: [...confirm] } : {}),
    ...(doubts.length > 0 ? { incomplete: true as const } : {}),
    ...(delta ? showDelta(world, delta) : {}),
  };
}

/** The files whose texts a proposal changes where they are, as many as are compared. */
function editedIn({ workspace }: World, { steps }: Proposal): readonly string[] {
  const isText = steps.every(({ kind }) => kind === 'edit');
  const edited = steps.flatMap((step) => (step.kind === 'edit' ? [workspace.admit(step.uri)] : []));
  const inside = edited.filter(({ standing }) => standing === 'inside').map(({ path }) => path);
  return isText ? [...new Set(inside)].slice(0, limits.change.compared) : [];
}

/** Does something while servers are busy with what they were just asked. */
async function meanwhile<T>(work: () => T): Promise<T> {
  await setImmediate();
  return work();
}

async function carryOut(world: World, plan: Plan, wish: Dealing, call: Call): Promise<Change['edit']> {
  const scope = wish.check ? await scopeOf(world, plan, wish.dependents, call) : undefined;
  const old = scope && (await lookBefore(world, scope, call));
  endOf(call).throwIfAborted();
  const edit = await world.edits.apply(plan, call);
  // From here on the edit is on the disk: whatever fails is told beside that.
  const troubles = await tellServers(world, wish.moves ?? movesOf(plan), old !== undefined, call);
  const delta = scope && old && (await deltaSince(world, old, scope, call));
  return {
    ...showEdit(world, edit),
    ...(delta ? showDelta(world, { ...delta, because: [...troubles, ...delta.because] }) : {}),
  };
}

/** Has the servers see the disk as it is now; what keeps them from it is told, and no failure. */
async function tellServers(
  { workspace, backend }: World,
  moves: readonly FileMove[],
  isAsked: boolean,
  call: Call,
): Promise<readonly string[]> {
  if (moves.length === 0 && !isAsked) return [];
  const told = inTime(call, 1, async (inner) => {
    const doubts = await workspace.refresh(inner);
    if (moves.length > 0) await backend.moved(moves, inner);
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
