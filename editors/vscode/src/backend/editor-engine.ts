import { type Call, cancelSignalOf } from '../../../../src/core/call.ts';
import { LspanError } from '../../../../src/core/errors.ts';
import { limits } from '../../../../src/core/limits.ts';
import type { Proposal } from '../../../../src/core/proposal.ts';
import { quotePath } from '../../../../src/core/wording/quote-path.ts';
import { editIdOf } from '../../../../src/edits/apply/journal.ts';
import { realFileSystem } from '../../../../src/edits/disk/file-system.ts';
import { PinnedFolders } from '../../../../src/edits/disk/pinned-folders.ts';
import { pinnedTree } from '../../../../src/edits/disk/pinned-tree.ts';
import type { Edits, Engine, PlanOptions, Recovery } from '../../../../src/edits/edits.ts';
import { makePlan } from '../../../../src/edits/plan/make-plan.ts';
import type { Edit, Plan } from '../../../../src/edits/plan.ts';
import { PlanStore } from '../../../../src/edits/plan-store.ts';
import type { Workspace } from '../../../../src/workspace/workspace.ts';
import { applyInEditor } from './apply-in-editor.ts';
import { inverseOf } from './inverse-edit.ts';

/** Opens the engine that writes through VS Code: its own undo works, and unsaved texts are changed where they are. */
export function openEditorEngine(workspace: Workspace): Engine {
  const writer = new EditorWriter(workspace);
  return {
    ...editsOf(writer, new PlanStore(), () => true),
    keepingIn: (plans) => editsOf(writer, plans, (editId) => plans.hasMade(editId)),
    madeBy: (call) => writer.madeBy(call),
    interrupted: () => ({ edits: [], unreadable: [] }),
  };
}

function editsOf(writer: EditorWriter, plans: PlanStore, isOwn: (editId: string) => boolean): Edits {
  return {
    plan(proposal, options) {
      const plan = writer.plan(proposal, options);
      if (!options.passing && !options.after && !options.tried) plans.keep(plan);
      return plan;
    },
    find: (planId) => plans.find(planId),
    apply: (plan, call) => writer.apply(plan, plans, call),
    planUndo(editId) {
      const plan = writer.planUndo(editId, isOwn);
      plans.keep(plan);
      return plan;
    },
    history: () => writer.history(),
    // VS Code applies a change in one piece, and nothing of it outlives this process.
    recover: async () => nothingLeft,
  };
}

const nothingLeft: Recovery = { undone: [], undoneCalls: [], completed: [], conflicts: [] };

interface PastEdit {
  readonly edit: Edit;
  readonly call: string | undefined;
  readonly inverse: Proposal;
}

/** Writes through VS Code, one change after the other, and remembers what it wrote. */
class EditorWriter {
  readonly #workspace: Workspace;
  /** The latest first. */
  #past: readonly PastEdit[] = [];
  #turn: Promise<unknown> = Promise.resolve();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Plans on the texts that VS Code has, saved or not. */
  plan(proposal: Proposal, options: PlanOptions): Plan {
    const view = this.#workspace;
    const pins = new PinnedFolders(realFileSystem, view.roots);
    try {
      return makePlan(
        proposal,
        { ...options, tried: true },
        { view, tree: pinnedTree(realFileSystem, pins) },
      );
    } finally {
      pins.close();
    }
  }

  apply(plan: Plan, plans: PlanStore, call: Call): Promise<Edit> {
    const applied = this.#turn.then(() => this.#apply(plan, plans, call));
    this.#turn = applied.catch(() => {});
    return applied;
  }

  planUndo(editId: string | undefined, isOwn: (editId: string) => boolean): Plan {
    const open = this.#past.filter(({ edit }) => edit.undoneBy === undefined && edit.undoes === undefined);
    const found =
      editId === undefined
        ? open.find(({ edit }) => isOwn(edit.id))
        : this.#past.find(({ edit }) => edit.id === editId);
    if (!found) throw noEdit(editId);
    const { edit, inverse } = found;
    if (edit.undoneBy !== undefined) throw undoneAlready(edit.id, edit.undoneBy);
    return { ...this.plan(inverse, { title: `undo ${edit.title}` }), undoes: edit.id };
  }

  history(): readonly Edit[] {
    return this.#past.map(({ edit }) => edit);
  }

  madeBy(call: string) {
    return this.#past
      .filter((one) => one.call === call)
      .map(({ edit }) => ({ edit, state: 'applied' as const }));
  }

  async #apply(plan: Plan, plans: PlanStore, call: Call): Promise<Edit> {
    cancelSignalOf(call).throwIfAborted();
    const { title, roots, undoes } = plan;
    const id = editIdOf(plan.id);
    if (this.#past.some(({ edit }) => edit.id === id)) throw appliedAlready(plan.id, id);
    const inverse = inverseOf(plan, this.#workspace);
    const warning = await applyInEditor(plan, this.#workspace);
    const files = plan.files.map(({ before: _before, after: _after, ...file }) => file);
    const edit: Edit = {
      ...{ id, title, roots, files, at: Date.now() },
      ...(undoes === undefined ? {} : { undoes }),
      ...(warning === undefined ? {} : { warning }),
    };
    this.#past = [
      { edit, call: call.id, inverse },
      ...this.#past.map((one) => markUndone(one, undoes, id)),
    ].slice(0, limits.undo.edits);
    plans.markApplied(plan.id, id);
    return edit;
  }
}

function markUndone(past: PastEdit, undoes: string | undefined, undoneBy: string): PastEdit {
  return past.edit.id === undoes ? { ...past, edit: { ...past.edit, undoneBy } } : past;
}

function noEdit(editId: string | undefined): LspanError {
  const which = editId === undefined ? 'There is no edit to undo' : `There is no edit ${quotePath(editId)}`;
  return new LspanError('not_found', `${which} in this window of VS Code.`, {
    nextStep: 'The user can undo in VS Code.',
  });
}

function undoneAlready(id: string, undoneBy: string): LspanError {
  return new LspanError('already_applied', `The edit ${id} was already undone, by ${undoneBy}.`, {
    nextStep: `Go on; to redo it, undo ${undoneBy}.`,
  });
}

function appliedAlready(plan: string, edit: string): LspanError {
  return new LspanError('already_applied', `The plan ${plan} was already applied, as edit ${edit}.`, {
    nextStep: 'Go on; to undo it, call undo_edit with that edit.',
  });
}
