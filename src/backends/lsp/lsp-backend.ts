import type {
  Answering,
  Backend,
  OverlayTexts,
  Reply,
  ServerSelector,
  ServerStatus,
  Sight,
} from '../../core/backend.ts';
import { beginCall, type Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import type { LspanError } from '../../core/errors.ts';
import type { FileProblems, WorkspaceProblems } from '../../core/problems.ts';
import type { Proposal } from '../../core/proposal.ts';
import type { Action, AnswerOf, Place, Question, QuestionKind, Span } from '../../core/questions.ts';
import type { Change, Workspace } from '../../workspace/workspace.ts';
import { type Row, rows } from './answers.ts';
import { type Asking, askSlot } from './ask-slot.ts';
import { firstAble } from './first-able.ts';
import { allFailed, gather } from './gather.ts';
import { gatherProblems } from './gather-problems.ts';
import { type UseSlot, useShared } from './lease.ts';
import { withOverlay } from './overlay.ts';
import { ProjectLoader } from './project-loader.ts';
import { proposeAction } from './propose-action.ts';
import type { Router } from './router.ts';
import type { ServerSlot } from './server-slot.ts';
import { serverStatuses } from './server-statuses.ts';
import { sightFrom } from './sight-from.ts';
import { surveyProblems } from './survey-problems.ts';
import { usesElsewhere } from './uses-elsewhere.ts';

/** The backend over language servers: it picks the sessions, joins their answers, and says what is doubtful. */
export class LspBackend implements Backend {
  readonly #workspace: Workspace;
  readonly #router: Router;
  readonly #listeners: Set<(path: string) => void>;
  readonly #unsubscribe: () => void;
  readonly #asking: Asking;

  /** @param held How servers are used, and what is known of their projects, where other text than the disk's is meant. */
  constructor(
    workspace: Workspace,
    router: Router,
    listeners: Set<(path: string) => void>,
    held?: { readonly use: UseSlot; readonly projects: ProjectLoader },
  ) {
    this.#workspace = workspace;
    this.#router = router;
    this.#listeners = listeners;
    const { use, projects } = held ?? { use: useShared, projects: new ProjectLoader(workspace) };
    this.#asking = { workspace, projects, use };
    this.#unsubscribe = held ? () => {} : workspace.onChanges((changes) => this.#note(changes));
  }

  async ask<K extends QuestionKind>(question: Question<K>, call: Call): Promise<Reply<AnswerOf<K>>> {
    const row: Row<K> = rows[question.kind];
    const path = row.path(question);
    const slots =
      path === undefined
        ? this.#router.forWorkspace(question.kind, row.among?.(question))
        : this.#router.forFile(path, question.kind);
    const { answer, doubts } = row.union
      ? await this.#askAll(row, row.union, question, slots, call)
      : await (row.refuses
          ? firstAble(slots, (slot) => askSlot(this.#asking, row, question, slot, call))
          : this.#askInTurn(row, question, slots, call));
    // What was found by position is right whatever else may be missing.
    if (!row.search && !row.union && row.size(answer) > 0) return { answer, doubts };
    const withheld =
      path === undefined
        ? this.#router.withheldAnywhere(question.kind, row.among?.(question))
        : this.#router.withheld(path, question.kind);
    const find = (place: Place, known: readonly Span[]) => this.#elsewhere(place, known, call);
    const more = await row.extend?.(question, answer, find, this.#workspace);
    return { answer: more?.answer ?? answer, doubts: [...doubts, ...(more?.doubts ?? []), ...withheld] };
  }

  sight(place: Place, files: readonly string[]): Promise<ReadonlyMap<string, Sight>> {
    return sightFrom({ router: this.#router, projects: this.#asking.projects }, place, files);
  }

  async diagnostics(files: readonly string[], call: Call): Promise<Reply<readonly FileProblems[]>> {
    const sources = { router: this.#router, workspace: this.#workspace, use: this.#asking.use };
    return gatherProblems(sources, files, call);
  }

  overlay<T>(texts: OverlayTexts, call: Call, work: (overlaid: Answering) => Promise<T>): Promise<T> {
    const [router, projects] = [this.#router, this.#asking.projects];
    return withOverlay({ router, workspace: this.#workspace }, texts, call, ({ workspace, use }) =>
      work(new LspBackend(workspace, router, this.#listeners, { use, projects })),
    );
  }

  workspaceDiagnostics(call: Call): Promise<Reply<WorkspaceProblems>> {
    return surveyProblems({ router: this.#router, workspace: this.#workspace, use: this.#asking.use }, call);
  }

  propose(action: Action, call: Call): Promise<Proposal> {
    const sources = { router: this.#router, workspace: this.#workspace, use: this.#asking.use };
    return proposeAction(sources, action, call);
  }

  async moved(): Promise<void> {}

  onDiagnostics(listener: (path: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  status(): Promise<readonly ServerStatus[]> {
    return serverStatuses(this.#router);
  }

  async restart(selector: ServerSelector, call: Call): Promise<readonly string[]> {
    const chosen = this.#router.slots.filter(({ definition }) => {
      const languages = Object.values(definition.extensions);
      if (selector.server !== undefined && definition.id !== selector.server) return false;
      return selector.language === undefined || languages.includes(selector.language);
    });
    await Promise.all(chosen.map((slot) => slot.restart(call)));
    return chosen.map(({ definition }) => definition.id);
  }

  /** Starts the servers that are not to wait for the first call. */
  async startEarly(call: Call): Promise<void> {
    const early = this.#router.early().map(({ root, definition }) => this.#router.slot(definition, root));
    await Promise.all(early.map((slot) => slot.obtain(call)));
  }

  async close(options: { readonly hurried?: boolean } = {}): Promise<void> {
    this.#unsubscribe();
    await Promise.all(this.#router.slots.map((slot) => slot.close(options)));
  }

  /** Asks all servers at once; one that fails is a doubt. */
  async #askAll<K extends QuestionKind>(
    row: Row<K>,
    union: NonNullable<Row<K>['union']>,
    question: Question<K>,
    slots: readonly ServerSlot[],
    call: Call,
  ): Promise<Reply<AnswerOf<K>>> {
    const inner = beginShare(call, slots.length > 1 ? shareOfCall : 1);
    const asked = slots.map((slot) => ({
      server: slot.definition.id,
      mayDecline:
        row.path(question) !== undefined || slots.some((other) => other !== slot && servesAllOf(other, slot)),
      reply: askSlot(this.#asking, row, question, slot, inner).then(({ answer, doubts }) => {
        const isOwn = (path: string) => this.#router.speaksOf(path, question.kind, slot, slots);
        return { answer: row.own?.(answer, isOwn) ?? answer, doubts };
      }),
    }));
    const { replies, doubts } = await gather(asked).finally(() => inner[Symbol.dispose]());
    return {
      answer: union(replies.map(({ answer }) => answer)),
      doubts: [...doubts, ...replies.flatMap((reply) => reply.doubts)],
    };
  }

  /** Asks the preferred server, and the next one only where it knew nothing or failed. */
  async #askInTurn<K extends QuestionKind>(
    row: Row<K>,
    question: Question<K>,
    slots: readonly ServerSlot[],
    call: Call,
  ): Promise<Reply<AnswerOf<K>>> {
    const failed: Doubt[] = [];
    const unfound: Doubt[] = [];
    const failures: LspanError[] = [];
    let last: Reply<AnswerOf<K>> | undefined;
    for (const slot of slots) {
      const turn = slot === slots.at(-1) ? undefined : beginShare(call, shareOfTurn);
      const reply = askSlot(this.#asking, row, question, slot, turn ?? call).finally(() =>
        turn?.[Symbol.dispose](),
      );
      const asked = { server: slot.definition.id, mayDecline: true, reply };
      const { replies, errors, doubts } = await gather([asked], { lenient: slots.length > 1 });
      failed.push(...doubts);
      failures.push(...errors);
      last = replies[0] ?? last;
      if (last && row.size(last.answer) > 0) break;
      unfound.push(...replies.flatMap((reply) => reply.doubts));
      if (call.signal.aborted) break;
    }
    if (!last) throw allFailed(failures);
    if (row.size(last.answer) === 0) return { answer: last.answer, doubts: [...failed, ...unfound] };
    // What the next one found by position is right, whatever kept the first from it.
    return { answer: last.answer, doubts: [...failed, ...(row.search ? unfound : []), ...last.doubts] };
  }

  #elsewhere(place: Place, known: readonly Span[], call: Call): Promise<Reply<readonly Span[]>> {
    if (this.#router.seeing(place.path).length === 0) return Promise.resolve({ answer: known, doubts: [] });
    const inner = beginShare(call, shareOfCall);
    const ask = (slot: ServerSlot, mention: Place) =>
      askSlot(this.#asking, rows.references, { kind: 'references', place: mention }, slot, inner);
    const found = usesElsewhere(
      { router: this.#router, workspace: this.#workspace, ask },
      place,
      known,
      inner,
    );
    return found.finally(() => inner[Symbol.dispose]());
  }

  #note(changes: readonly Change[]): void {
    this.#asking.projects.note(changes);
    this.#router.note(changes);
  }
}

/** Several servers share it: one that stays silent does not cost the answers of the others. */
const shareOfCall = 0.8;

/** For one server when another is asked after it: if the first stays silent, the next can still answer. */
const shareOfTurn = 0.6;

/** A call within a call, for a share of the time that is left. */
function beginShare(call: Call, share: number): Call & Disposable {
  const time = (call.deadline - performance.now()) * share;
  return beginCall({ time, report: call.report }, call.signal);
}

function servesAllOf(other: ServerSlot, slot: ServerSlot): boolean {
  const known = other.definition.extensions;
  return (
    other.root === slot.root &&
    Object.keys(slot.definition.extensions).every((name) => Object.hasOwn(known, name))
  );
}
