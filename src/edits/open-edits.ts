import path from 'node:path';
import type { Call } from '../core/call.ts';
import { LspanError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { quotePath } from '../core/wording/quote-path.ts';
import { isPathWithin } from '../platform/files/path-within.ts';
import { realFile } from '../platform/files/real-file.ts';
import { editIdOf, editOf, journalOf } from './apply/journal.ts';
import { type Filed, Journals } from './apply/journal-store.ts';
import { prune } from './apply/prune.ts';
import { recover } from './apply/recover.ts';
import { runTransaction, type TransactionContext } from './apply/transaction.ts';
import { type Owner, thisProcess, WorkspaceLock } from './apply/workspace-lock.ts';
import { makeLastingFolder } from './disk/durable-files.ts';
import { codeOf, type FileSystem, realFileSystem } from './disk/file-system.ts';
import { PinnedFolders, type Proof } from './disk/pinned-folders.ts';
import { type PinnedTree, pinnedTree } from './disk/pinned-tree.ts';
import { notApplied } from './edit-errors.ts';
import type { Edits, Engine, WorkspaceView } from './edits.ts';
import { historyOf, isCarriedOut, latestAt, type PastEdit } from './history.ts';
import { makePlan } from './plan/make-plan.ts';
import { refuseUnsavedPlan } from './plan/refuse-unsaved.ts';
import type { Edit, Plan } from './plan.ts';
import { PlanStore } from './plan-store.ts';
import { planUndo } from './undo/plan-undo.ts';

/** What the engine is made of. */
export interface EditsOptions {
  readonly view: WorkspaceView;
  /** The folder of what lspan remembers for the user. */
  readonly folder: string;
  readonly log: Log;
  readonly files?: FileSystem;
  readonly owner?: Owner;
  readonly proof?: Proof;
}

/** Opens the engine through which everything is written. */
export function openEdits(options: EditsOptions): Engine {
  const { view, log, files = realFileSystem, owner = thisProcess(), proof } = options;
  const folder = path.join(options.folder, 'edits');
  const locks = path.join(folder, 'locks');
  const journals = new Journals(files, folder);
  const lock = new WorkspaceLock(files, locks, owner);
  const permit = (plan: Plan) => refuseUnsavedPlan(plan, view);
  const context = (): TransactionContext => ({ files, journals, roots: view.roots, log, proof, permit });
  const history = () => historyOf(journals, view.roots);

  let isLasting = false;
  /** Whoever made these folders may not have waited until they were on the disk. */
  const keepFolders = async (): Promise<void> => {
    await files.syncFolder(options.folder);
    await files.syncFolder(path.dirname(options.folder)).catch((thrown: unknown) => {
      // It may be the user's own without being readable.
      if (codeOf(thrown) !== 'EACCES') throw thrown;
    });
  };

  const looking = <T>(look: (tree: PinnedTree) => T): T => {
    const pins = new PinnedFolders(files, view.roots, proof);
    try {
      return look(pinnedTree(files, pins));
    } catch (thrown) {
      throw codeOf(thrown) === undefined ? thrown : notApplied(thrown);
    } finally {
      pins.close();
    }
  };

  const applyLocked = async (plan: Plan, plans: PlanStore, call: Call): Promise<Edit> => {
    const { blocked } = await recover(context(), lock, plan.roots);
    if (blocked[0] !== undefined) throw mustBePutRight(blocked[0]);
    refuseTwice(plan, journals.list());
    // All records are read only where it matters: each tells of all the files of its edit.
    if (plan.undoes !== undefined) refuseUndone(plan.undoes, history());
    if (plan.operations.length === 0) return editOf(journalOf(plan, Date.now(), true).journal);
    // Later than any other, so that the latest edit is the one that was made last.
    const at = Math.max(Date.now(), latestAt(journals, files) + 1);
    const edit = await runTransaction(plan, at, context(), call);
    plans.markApplied(plan.id, edit.id);
    return edit;
  };

  const notPruned = (thrown: unknown) => log('warn', 'edit.prune', { thrown });
  /** Nobody waits for it: what was taken out of the tree is gone from there. */
  const freeWaste = () => void journals.emptyWaste().catch(notPruned);

  const apply = async (plan: Plan, plans: PlanStore, call: Call): Promise<Edit> => {
    refuseStateInside(options.folder, view.roots);
    permit(plan);
    await makeLastingFolder(files, locks);
    if (!isLasting) await keepFolders();
    isLasting = true;
    const release = await lock.take(plan.roots, call);
    const edit = await applyLocked(plan, plans, call).finally(release);
    // What is on record too long is no reason to say that the edit failed.
    await Promise.resolve()
      .then(() => prune(journals, files))
      .catch(notPruned);
    freeWaste();
    return edit;
  };

  /** @param isOwn Whether an edit is meant where the latest is, but not which. */
  const over = (plans: PlanStore, isOwn: (editId: string) => boolean): Edits => ({
    plan(proposal, wishes) {
      const plan = looking((tree) => makePlan(proposal, wishes, { view: view, tree }));
      if (!wishes.passing && !wishes.after && !wishes.tried) plans.keep(plan);
      return plan;
    },
    find: (planId) => plans.find(planId),
    apply: (plan, call) =>
      apply(plan, plans, call).catch((thrown: unknown) => {
        throw notApplied(thrown);
      }),
    planUndo(editId) {
      const past = findPast(editId, history(), isOwn);
      const plan = looking((tree) => planUndo(past, { view: view, journals, tree }));
      permit(plan);
      plans.keep(plan);
      return plan;
    },
    history: () => history().map(({ edit }) => edit),
    async recover() {
      refuseStateInside(options.folder, view.roots);
      if (journals.list().length > 0) await makeLastingFolder(files, locks);
      const { blocked, ...recovery } = await recover(context(), lock);
      if (recovery.undone.length + recovery.completed.length > 0) freeWaste();
      return recovery;
    },
  });
  return {
    ...over(new PlanStore(), () => true),
    keepingIn: (plans) => over(plans, (editId) => plans.hasMade(editId)),
  };
}

function findPast(
  editId: string | undefined,
  past: readonly PastEdit[],
  isOwn: (editId: string) => boolean,
): PastEdit {
  const standing = past.filter(({ edit }) => edit.undoes === undefined && edit.undoneBy === undefined);
  const found =
    editId === undefined
      ? standing.find(({ edit }) => isOwn(edit.id))
      : past.find(({ edit }) => edit.id === editId);
  if (!found && editId === undefined && standing[0]) throw notOwn(standing[0]);
  if (!found) {
    const which =
      editId === undefined ? 'There is no edit to take back' : `There is no edit ${quotePath(editId)}`;
    throw new LspanError('not_found', `${which} on record for this workspace.`, {
      nextStep: 'See `lspan edits` for those that can be taken back.',
    });
  }
  const { id, undoneBy } = found.edit;
  if (undoneBy === undefined) return found;
  throw new LspanError('already_applied', `The edit ${id} was taken back already, by ${undoneBy}.`, {
    nextStep: `Go on; to have it again, take ${undoneBy} back.`,
  });
}

/** The history is of the workspace, but nobody takes back by mistake what another has just done. */
function notOwn({ edit: { id, title } }: PastEdit): LspanError {
  const message = `None of your own edits stands; the latest of all on this workspace is ${id} (${title}).`;
  return new LspanError('not_found', message, {
    nextStep: 'To take that one back, pass it as `edit_id`; see `lspan edits` for all.',
  });
}

function refuseTwice({ id }: Plan, filed: readonly Filed[]): void {
  const edit = editIdOf(id);
  if (!filed.some((one) => one.id === edit && isCarriedOut(one))) return;
  throw new LspanError('already_applied', `The plan ${id} has been carried out already, as edit ${edit}.`, {
    nextStep: 'Go on; to take it back, call undo_edit with that edit.',
  });
}

function refuseUndone(undoes: string, past: readonly PastEdit[]): void {
  const undoneBy = past.find((one) => one.edit.id === undoes)?.edit.undoneBy;
  if (undoneBy !== undefined)
    throw new LspanError('already_applied', `The edit ${undoes} was taken back already, by ${undoneBy}.`, {
      nextStep: 'Go on.',
    });
}

function mustBePutRight(blocked: string): LspanError {
  return new LspanError('refused', `Nothing is changed before an earlier edit is put right. ${blocked}`, {
    nextStep: 'Tell the user; reading works meanwhile.',
  });
}

/** Where a folder is, or will be once it is made: a link may stand above it. */
function placeOf(folder: string): string {
  const above = path.dirname(folder);
  if (above === folder) return folder;
  return realFile(folder)?.path ?? path.join(placeOf(above), path.basename(folder));
}

/** What is in a workspace could forge what an edit is taken back to. */
function refuseStateInside(folder: string, roots: readonly string[]): void {
  const place = placeOf(folder);
  const root = roots.find((one) => isPathWithin(one, place));
  if (root === undefined) return;
  throw new LspanError('refused', `The state folder of lspan, ${quotePath(folder)}, lies in the workspace.`, {
    nextStep: 'Nothing was applied. Set XDG_STATE_HOME to a folder outside of it, and start lspan again.',
  });
}
