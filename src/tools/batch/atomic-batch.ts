import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { LspanError } from '../../core/errors.ts';
import type { Proposal, ProposedStep } from '../../core/proposal.ts';
import type { Edits, PlanOptions } from '../../edits/edits.ts';
import type { Plan, PlannedFile } from '../../edits/plan.ts';
import { rebase, type StagedFiles, stagedWorkspace } from '../../workspace/derived-workspace.ts';
import { type Document, documentOf } from '../../workspace/texts/document.ts';
import type { ToolContext, ToolState } from '../run/tool.ts';
import { renderSome } from '../show/problem-doubts.ts';
import { newCallerState } from '../state/caller-state.ts';
import { StagedBackend } from './staged-backend.ts';

/** Changes of several operations that become one plan: each is made in the world that the ones before it would leave. */
export class AtomicBatch {
  readonly #world: ToolContext;
  readonly #titles: string[] = [];
  readonly #steps: ProposedStep[] = [];
  readonly #confirm: string[] = [];
  readonly #doubts: Doubt[] = [];
  readonly #allowed = new Set<string>();
  /** All that was put together, against the disk. */
  #joint: Pick<Plan, 'files' | 'operations'> = { files: [], operations: [] };

  constructor(context: ToolContext) {
    this.#world = context;
  }

  /** Works in the world as it would be by now. */
  async within<T>(call: Call, work: (context: ToolContext) => Promise<T>): Promise<T> {
    const { workspace } = this.#world;
    const { files, operations } = this.#joint;
    const blurred = files.find(({ newPath, after }) => newPath !== undefined && after === undefined);
    if (blurred) throw afterFolder(workspace.show(blurred.path));
    const staged = stagedBy(files);
    const isShifted = operations.some(({ kind }) => kind === 'move' || kind.startsWith('remove'));
    const backend = new StagedBackend(this.#world.backend, textsOf(staged), { isShifted }, call);
    const isChanged = files.length > 0;
    const context = {
      ...this.#world,
      backend,
      edits: this.#edits(),
      ...(isChanged && {
        workspace: stagedWorkspace(workspace, staged),
        // What is offered for texts that may never be on the disk is not to be carried out, or gone on with, there.
        ...pick(newCallerState()),
      }),
    };
    return work(context).finally(() => backend.end());
  }

  /** The one plan of all that was put together, which is kept. */
  plan(): Plan {
    return this.#world.edits.plan(this.#proposal(this.#steps), {
      title: `batch (${renderSome(this.#titles)})`,
      allowProtected: [...this.#allowed],
      doubts: this.#doubts,
    });
  }

  /** The engine as one operation sees it: what it plans is put together with the rest, if the operation offers it. */
  #edits(): Edits {
    const { edits } = this.#world;
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
      find: () => refuse('A plan that was made before', 'Give the change itself instead of its `plan_id`.'),
      planUndo: () => refuse('Taking an edit back', 'Call undo_edit alone.'),
      apply: () => refuse('An edit of its own', 'Leave `atomic` out.'),
      history: () => edits.history(),
      recover: (call) => edits.recover(call),
    };
  }

  #add(proposal: Proposal, { title, allowProtected = [], doubts = [] }: PlanOptions): void {
    const steps = [...this.#steps, ...proposal.steps.map((step) => this.#onDisk(step))];
    const allowed = [...this.#allowed, ...allowProtected];
    // What each may do alone, they may not be able to do together, and then this one is refused.
    const options = { title, allowProtected: allowed, passing: true };
    this.#joint = this.#world.edits.plan(this.#proposal(steps), options);
    this.#steps.splice(0, this.#steps.length, ...steps);
    for (const one of allowProtected) this.#allowed.add(one);
    this.#titles.push(title);
    this.#confirm.push(...proposal.confirm);
    this.#doubts.push(...doubts);
  }

  #proposal(steps: readonly ProposedStep[]): Proposal {
    return { steps, confirm: this.#confirm };
  }

  /** The text that a step is about was compared when it was planned; where it is not that of the disk, that is all. */
  #onDisk(step: ProposedStep): ProposedStep {
    if (step.kind !== 'edit' || step.seen === undefined) return step;
    const { path } = this.#world.workspace.fromUri(step.uri);
    const isStaged = this.#joint.files.some((file) => {
      const now = file.newPath ?? file.path;
      return rebase(path, now, now) !== undefined || path === file.path;
    });
    const { seen: _seen, ...rest } = step;
    return isStaged ? rest : step;
  }
}

function pick({ actions, lists }: ToolState): Pick<ToolState, 'actions' | 'lists'> {
  return { actions, lists };
}

function stagedBy(files: readonly PlannedFile[]): StagedFiles {
  const documents = new Map(
    files.flatMap((file): [string, Document][] => {
      const document = documentAfter(file);
      return document ? [[document.path, document]] : [];
    }),
  );
  const left = files.filter(({ change, newPath }) => change === 'delete' || newPath !== undefined);
  return { documents, gone: new Set(left.map(({ path }) => path).filter((path) => !documents.has(path))) };
}

/** What is planned on a file is compared with its bytes, to which a byte order mark belongs. */
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
    nextStep: 'Put that move last, or leave `atomic` out.',
  });
}
