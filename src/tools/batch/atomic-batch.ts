import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { LspanError } from '../../core/errors.ts';
import type { Proposal, ProposedStep } from '../../core/proposal.ts';
import type { Edits, PlanOptions } from '../../edits/edits.ts';
import type { Plan, PlannedFile } from '../../edits/plan.ts';
import { rebase, type StagedFiles, stagedWorkspace } from '../../workspace/derived-workspace.ts';
import { type Document, documentOf } from '../../workspace/texts/document.ts';
import type { ListSnapshot, ToolContext, ToolState } from '../run/tool.ts';
import { renderSome } from '../show/problem-doubts.ts';
import { newCallerState } from '../state/caller-state.ts';
import { StagedBackend } from './staged-backend.ts';

/** Joins the changes of several operations into one plan; each operation sees what those before it would leave. */
export class AtomicBatch {
  readonly #context: ToolContext;
  readonly #titles: string[] = [];
  readonly #steps: ProposedStep[] = [];
  readonly #confirm: string[] = [];
  readonly #doubts: Doubt[] = [];
  readonly #allowed = new Set<string>();
  /** The plan of all changes so far, against the disk. */
  #joint: Pick<Plan, 'files' | 'operations'> = { files: [], operations: [] };

  constructor(context: ToolContext) {
    this.#context = context;
  }

  /** Runs work in a context that has the changes so far. */
  async within<T>(call: Call, work: (context: ToolContext) => Promise<T>): Promise<T> {
    const { workspace } = this.#context;
    const { files, operations } = this.#joint;
    const movedFolder = files.find(({ newPath, after }) => newPath !== undefined && after === undefined);
    if (movedFolder) throw afterFolder(workspace.show(movedFolder.path));
    const staged = toStagedFiles(files);
    const isShifted = operations.some(({ kind }) => kind === 'move' || kind.startsWith('remove'));
    const backend = new StagedBackend(this.#context.backend, textsOf(staged), { isShifted }, call);
    const isChanged = files.length > 0;
    const context = {
      ...this.#context,
      backend,
      edits: this.#edits(),
      ...(isChanged && {
        workspace: stagedWorkspace(workspace, staged),
        // Actions and cursors for texts that may never be on the disk must not be used there.
        ...freshState(),
      }),
    };
    return work(context).finally(() => backend.end());
  }

  /** Returns the one plan of all changes, which is kept. */
  plan(): Plan {
    return this.#context.edits.plan(this.#proposal(this.#steps), {
      title: `batch (${renderSome(this.#titles)})`,
      allowProtected: [...this.#allowed],
      doubts: this.#doubts,
    });
  }

  /** Returns the engine as one operation sees it: a plan joins the batch if the operation stages it. */
  #edits(): Edits {
    const { edits } = this.#context;
    const made = new Map<Plan, readonly [Proposal, PlanOptions]>();
    return {
      plan: (proposal, options) => {
        const plan = edits.plan(proposal, { ...options, after: this.#steps, passing: true });
        made.set(plan, [proposal, options]);
        return plan;
      },
      stage: (plan) => {
        const [proposal, options] = made.get(plan) ?? [];
        if (proposal && options) this.#add(proposal, options);
      },
      find: () => refuse('An earlier plan', 'Give the change itself instead of its `plan_id`.'),
      planUndo: () => refuse('Undoing an edit', 'Call undo_edit alone.'),
      apply: () => refuse('A separate edit', 'Omit `atomic`.'),
      history: () => edits.history(),
      recover: (call) => edits.recover(call),
    };
  }

  #add(proposal: Proposal, { title, allowProtected = [], doubts = [] }: PlanOptions): void {
    const steps = [...this.#steps, ...proposal.steps.map((step) => this.#onDisk(step))];
    const allowed = [...this.#allowed, ...allowProtected];
    // Changes that are allowed alone may not be allowed together; then this one is refused.
    const options = { title, allowProtected: allowed, passing: true };
    this.#joint = this.#context.edits.plan(this.#proposal(steps), options);
    this.#steps.splice(0, this.#steps.length, ...steps);
    for (const one of allowProtected) this.#allowed.add(one);
    this.#titles.push(title);
    this.#confirm.push(...proposal.confirm);
    this.#doubts.push(...doubts);
  }

  #proposal(steps: readonly ProposedStep[]): Proposal {
    return { steps, confirm: this.#confirm };
  }

  /** Drops the expected hash of a staged text, which is not that of the disk: it was compared when the step was planned. */
  #onDisk(step: ProposedStep): ProposedStep {
    if (step.kind !== 'edit' || step.seen === undefined) return step;
    const { path } = this.#context.workspace.fromUri(step.uri);
    const isStaged = this.#joint.files.some((file) => {
      const now = file.newPath ?? file.path;
      return rebase(path, now, now) !== undefined || path === file.path;
    });
    const { seen: _seen, ...rest } = step;
    return isStaged ? rest : step;
  }
}

function freshState(): Pick<ToolState, 'actions' | 'lists'> {
  const { actions, lists } = newCallerState<ListSnapshot>();
  return { actions, lists };
}

function toStagedFiles(files: readonly PlannedFile[]): StagedFiles {
  const documents = new Map(
    files.flatMap((file): [string, Document][] => {
      const document = documentAfter(file);
      return document ? [[document.path, document]] : [];
    }),
  );
  const gone = files.filter(({ change, newPath }) => change === 'delete' || newPath !== undefined);
  return { documents, gone: new Set(gone.map(({ path }) => path).filter((path) => !documents.has(path))) };
}

/** Adds the byte order mark, if there is one: plans compare the hash of a file's bytes. */
function documentAfter({ path, newPath = path, after, hashAfter }: PlannedFile): Document | undefined {
  if (after === undefined) return undefined;
  const plain = documentOf(newPath, after);
  return plain.hash === hashAfter ? plain : documentOf(newPath, `\uFEFF${after}`);
}

function textsOf({ documents }: StagedFiles): ReadonlyMap<string, string> {
  return new Map([...documents].map(([path, { text, hasBom }]) => [path, hasBom ? `\uFEFF${text}` : text]));
}

function refuse(what: string, nextStep: string): never {
  throw new LspanError('not_supported', `${what} cannot be part of an atomic batch.`, { nextStep });
}

function afterFolder(shown: string): LspanError {
  const message = `Nothing can follow the move of ${JSON.stringify(shown)} in an atomic batch.`;
  return new LspanError('not_supported', message, {
    nextStep: 'Put that move last, or omit `atomic`.',
  });
}
