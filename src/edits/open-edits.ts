import path from 'node:path';
import type { Call } from '../core/call.ts';
import { LspanError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { quotePath } from '../core/wording/quote-path.ts';
import { isPathWithin } from '../platform/files/path-within.ts';
import { realFile } from '../platform/files/real-file.ts';
import { type ProcessIdentity, thisProcess } from '../platform/processes/process-identity.ts';
import { editIdOf, editOf, journalOf, planPrefix } from './apply/journal.ts';
import { type Filed, Journals } from './apply/journal-store.ts';
import { prune } from './apply/prune.ts';
import { isUnfinished, recover } from './apply/recover.ts';
import { runTransaction, type TransactionContext } from './apply/transaction.ts';
import { WorkspaceLock } from './apply/workspace-lock.ts';
import { makeLastingFolder } from './disk/durable-files.ts';
import { codeOf, type FileSystem, realFileSystem } from './disk/file-system.ts';
import { PinnedFolders, type Proof } from './disk/pinned-folders.ts';
import { type PinnedTree, pinnedTree } from './disk/pinned-tree.ts';
import { notApplied } from './edit-errors.ts';
import type { BegunEdit, Edits, Engine, InterruptedEdits, Recovery, WorkspaceView } from './edits.ts';
import { historyOf, isApplied, latestAt, overlap, type PastEdit } from './history.ts';
import { makePlan } from './plan/make-plan.ts';
import { refuseUnsavedPlan } from './plan/refuse-unsaved.ts';
import type { Edit, Plan } from './plan.ts';
import { PlanStore } from './plan-store.ts';
import { planUndo } from './plan-undo.ts';

/** Options of `openEdits`. */
export interface EditsOptions {
  readonly view: WorkspaceView;
  /** Roots of other workspaces whose content may not decide here either. */
  readonly besides?: readonly string[];
  /** The state folder of lspan for this user. */
  readonly folder: string;
  readonly log: Log;
  readonly files?: FileSystem;
  readonly owner?: ProcessIdentity;
  readonly proof?: Proof;
}

/** Opens the engine through which everything is written. */
export function openEdits(options: EditsOptions): Engine {
  const writer = new WorkspaceWriter(options);
  return {
    ...editsOf(writer, new PlanStore(), () => true),
    keepingIn: (plans) => editsOf(writer, plans, (editId) => plans.hasMade(editId)),
    madeBy: (call) => writer.madeBy(call),
    interrupted: () => writer.interrupted(),
  };
}

function stateOf(filed: Filed): BegunEdit['state'] {
  if (isApplied(filed)) return 'applied';
  return filed.phase === 'conflict' ? 'kept' : 'half_done';
}

/** Returns the engine of one caller; `isOwn` is true for edits that an undo without an id may choose. */
function editsOf(writer: WorkspaceWriter, plans: PlanStore, isOwn: (editId: string) => boolean): Edits {
  const { view, journals } = writer;
  return {
    plan(proposal, options) {
      const plan = writer.readTree((tree) => makePlan(proposal, options, { view, tree }));
      if (!options.passing && !options.after && !options.tried) plans.keep(plan);
      return plan;
    },
    find: (planId) => plans.find(planId),
    apply: (plan, call) =>
      writer.apply(plan, plans, call).catch((thrown: unknown) => {
        throw notApplied(thrown);
      }),
    planUndo(editId) {
      const past = findPast(editId, writer.history(), isOwn);
      const plan = writer.readTree((tree) => planUndo(past, { view, journals, tree }));
      refuseUnsavedPlan(plan, view);
      plans.keep(plan);
      return plan;
    },
    history: () => writer.history().map(({ edit }) => edit),
    recover: () => writer.recover(),
  };
}

/** Reads and writes the roots of a workspace for all callers: takes the lock, keeps the journals. */
class WorkspaceWriter {
  readonly view: WorkspaceView;
  readonly journals: Journals;
  readonly #state: string;
  readonly #besides: readonly string[];
  readonly #files: FileSystem;
  readonly #lock: WorkspaceLock;
  readonly #locks: string;
  readonly #context: TransactionContext;
  #isStateSynced = false;

  constructor(options: EditsOptions) {
    const { view, folder, log, files = realFileSystem, owner = thisProcess(), proof } = options;
    this.view = view;
    this.#besides = options.besides ?? [];
    this.#state = folder;
    this.#files = files;
    this.journals = new Journals(files, path.join(folder, 'edits'));
    this.#locks = path.join(this.journals.folder, 'locks');
    this.#lock = new WorkspaceLock(files, this.#locks, owner);
    const permit = (plan: Plan) => refuseUnsavedPlan(plan, view);
    this.#context = { files, journals: this.journals, roots: view.roots, log, proof, permit };
  }

  /** The edits on record, the latest first; none of another worktree in a root, which somebody else may have made. */
  history(): readonly PastEdit[] {
    const { roots } = this.view;
    const isElsewhere = (folder: string) =>
      this.view.rootOf(folder) === undefined && roots.some((root) => isPathWithin(root, folder));
    return historyOf(this.journals, roots).filter(({ journal }) => !journal.roots.every(isElsewhere));
  }

  /** Returns the edits that a call with this id has begun. */
  madeBy(call: string): readonly BegunEdit[] {
    return this.journals.list().flatMap((filed) => {
      // A record that is being written has changed nothing yet.
      const journal = filed.phase === 'new' ? undefined : this.journals.read(filed);
      return journal?.call === call ? [{ edit: editOf(journal), state: stateOf(filed) }] : [];
    });
  }

  interrupted(): InterruptedEdits {
    const { journals, view } = this;
    const found = journals
      .list()
      .filter(isUnfinished)
      .map((filed) => ({ filed, journal: journals.read(filed) }));
    return {
      edits: found.flatMap(({ journal }) => {
        const isMeant = journal && overlap(journal.roots, view.roots) && !this.#lock.isHeld(journal.roots);
        return isMeant ? [editOf(journal)] : [];
      }),
      unreadable: found.flatMap(({ filed, journal }) =>
        !journal && journals.has(filed.id, filed.phase) ? [journals.file(filed)] : [],
      ),
    };
  }

  /** Reads the tree while its folders are pinned. */
  readTree<T>(read: (tree: PinnedTree) => T): T {
    const pins = new PinnedFolders(this.#files, this.view.roots, this.#context.proof);
    try {
      return read(pinnedTree(this.#files, pins));
    } catch (thrown) {
      throw codeOf(thrown) === undefined ? thrown : notApplied(thrown);
    } finally {
      pins.close();
    }
  }

  async apply(plan: Plan, plans: PlanStore, call: Call): Promise<Edit> {
    refuseStateInside(this.#state, [...this.view.roots, ...this.#besides]);
    this.#context.permit(plan);
    await makeLastingFolder(this.#files, this.#locks);
    if (!this.#isStateSynced) await this.#syncStateFolder();
    this.#isStateSynced = true;
    const release = await this.#lock.take(plan.roots, call);
    const edit = await this.#applyLocked(plan, plans, call).finally(release);
    // The edit has succeeded even if old records could not be pruned.
    await Promise.resolve()
      .then(() => prune(this.journals, this.#files))
      .catch(this.#notPruned);
    this.#freeWaste();
    return edit;
  }

  /** Finishes what processes left half done. */
  async recover(): Promise<Recovery> {
    refuseStateInside(this.#state, [...this.view.roots, ...this.#besides]);
    if (this.journals.list().length > 0) await makeLastingFolder(this.#files, this.#locks);
    const { blocked, ...recovery } = await recover(this.#context, this.#lock);
    if (recovery.undone.length + recovery.completed.length > 0) this.#freeWaste();
    return recovery;
  }

  async #applyLocked(plan: Plan, plans: PlanStore, call: Call): Promise<Edit> {
    const { journals } = this;
    const { blocked } = await recover(this.#context, this.#lock, plan.roots);
    if (blocked[0] !== undefined) throw blockedBy(blocked[0]);
    refuseApplied(plan, journals.list());
    // Read all records only for an undo: each lists all the files of its edit.
    if (plan.undoes !== undefined) refuseUndone(plan.undoes, this.history());
    if (plan.operations.length === 0) return editOf(journalOf(plan, Date.now(), true).journal);
    // Later than any other, so that the latest edit is the one that was made last.
    const at = Math.max(Date.now(), latestAt(journals, this.#files) + 1);
    const edit = await runTransaction(plan, at, this.#context, call);
    plans.markApplied(plan.id, edit.id);
    return edit;
  }

  /** The program that made these folders may not have synced them to the disk. */
  async #syncStateFolder(): Promise<void> {
    await this.#files.syncFolder(this.#state);
    await this.#files.syncFolder(path.dirname(this.#state)).catch((thrown: unknown) => {
      // The parent may belong to the user without being readable.
      if (codeOf(thrown) !== 'EACCES') throw thrown;
    });
  }

  /** Not awaited: the files are already out of the tree. */
  #freeWaste(): void {
    void this.journals.emptyWaste().catch(this.#notPruned);
  }

  readonly #notPruned = (thrown: unknown) => this.#context.log('warn', 'edit.prune', { thrown });
}

function findPast(
  editId: string | undefined,
  past: readonly PastEdit[],
  isOwn: (editId: string) => boolean,
): PastEdit {
  const notUndone = past.filter(({ edit }) => edit.undoes === undefined && edit.undoneBy === undefined);
  const found =
    editId === undefined
      ? notUndone.find(({ edit }) => isOwn(edit.id))
      : past.find(({ edit }) => edit.id === editId);
  if (!found && editId === undefined && notUndone[0]) throw notOwn(notUndone[0]);
  if (!found) {
    const which = editId === undefined ? 'There is no edit to undo' : `There is no edit ${quotePath(editId)}`;
    throw new LspanError('not_found', `${which} in this workspace.`, { nextStep: otherUndo(editId, past) });
  }
  const { id, undoneBy } = found.edit;
  if (undoneBy === undefined) return found;
  throw new LspanError('already_applied', `The edit ${id} was already undone, by ${undoneBy}.`, {
    nextStep: `Go on; to redo it, undo ${undoneBy}.`,
  });
}

/** Returns what to do if an edit is not on record. */
function otherUndo(editId: string | undefined, past: readonly PastEdit[]): string {
  const isPlan = editId?.startsWith(planPrefix) === true;
  const applied = isPlan && past.find(({ edit }) => edit.id === editIdOf(editId));
  if (applied) return `That is the plan. To undo it, pass its \`edit_id\`, ${applied.edit.id}.`;
  if (isPlan) return 'That is a plan that was not applied: there is nothing to undo.';
  if (past.length === 0) return 'lspan has no record of a change here; use version control.';
  if (editId === undefined)
    return 'All were undone; to redo one, pass its undo as `edit_id`: `lspan edits` lists them.';
  return 'Omit `edit_id` for the latest one; `lspan edits` lists those that can be undone.';
}

/** The history belongs to the workspace, but no caller undoes by mistake what another has just done. */
function notOwn({ edit: { id, title } }: PastEdit): LspanError {
  const message = `You have no edit to undo; the latest one of this workspace is ${id} (${title}).`;
  return new LspanError('not_found', message, {
    nextStep: 'To undo that one, pass it as `edit_id`; `lspan edits` lists all.',
  });
}

function refuseApplied({ id }: Plan, filed: readonly Filed[]): void {
  const edit = editIdOf(id);
  if (!filed.some((one) => one.id === edit && isApplied(one))) return;
  throw new LspanError('already_applied', `The plan ${id} was already applied, as edit ${edit}.`, {
    nextStep: 'Go on; to undo it, call undo_edit with that edit.',
  });
}

function refuseUndone(undoes: string, past: readonly PastEdit[]): void {
  const undoneBy = past.find((one) => one.edit.id === undoes)?.edit.undoneBy;
  if (undoneBy !== undefined)
    throw new LspanError('already_applied', `The edit ${undoes} was already undone, by ${undoneBy}.`, {
      nextStep: 'Go on.',
    });
}

function blockedBy(blocked: string): LspanError {
  return new LspanError('refused', `lspan changes nothing until an earlier edit is repaired. ${blocked}`, {
    nextStep: 'Tell the user; reading still works.',
  });
}

/** Returns the real path of a folder, existing or not: a folder above it may be a link. */
function realFolder(folder: string): string {
  const above = path.dirname(folder);
  if (above === folder) return folder;
  return realFile(folder)?.path ?? path.join(realFolder(above), path.basename(folder));
}

/** A file in the workspace could forge the content that an undo restores. */
function refuseStateInside(folder: string, roots: readonly string[]): void {
  const real = realFolder(folder);
  const root = roots.find((one) => isPathWithin(one, real));
  if (root === undefined) return;
  throw new LspanError('refused', `The state folder of lspan, ${quotePath(folder)}, is in the workspace.`, {
    nextStep: 'Nothing was applied. Set XDG_STATE_HOME to a folder outside it, and start lspan again.',
  });
}
