import type {
  Answering,
  Backend,
  OverlayTexts,
  Reply,
  ServerOutcome,
  ServerSelector,
  ServerStatus,
  Sight,
} from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import type { FileProblems, WorkspaceProblems } from '../../core/problems.ts';
import type { Proposal } from '../../core/proposal.ts';
import type {
  Action,
  AnswerOf,
  FileMove,
  Place,
  Question,
  QuestionKind,
  Span,
} from '../../core/questions.ts';
import type { Change, Workspace } from '../../workspace/workspace.ts';
import {
  AnswerCache,
  type AskServers,
  type CacheOptions,
  defaultCacheOptions,
} from './asking/answer-cache.ts';
import { type AskContext, askServer } from './asking/ask-server.ts';
import { askAll, askFirstCapable, askInOrder, beginShare, shareOfCall } from './asking/ask-servers.ts';
import { proposeAction } from './asking/propose-action.ts';
import { restartServers, stopServers } from './control/restart-servers.ts';
import { serverStatuses } from './control/server-status.ts';
import { fileDiagnostics } from './diagnostics/file-diagnostics.ts';
import { collectWorkspaceDiagnostics } from './diagnostics/workspace-diagnostics.ts';
import { withOverlay } from './overlay/overlay.ts';
import { movedFiles, renameParams, wantedMoves } from './questions/file-operations.ts';
import { type Row, searchOf } from './questions/row.ts';
import { rows } from './questions/table.ts';
import type { Router } from './routing/router.ts';
import { usesInOtherLanguages } from './search/cross-language-uses.ts';
import { ProjectLoader } from './search/load-projects.ts';
import { visibilityFrom } from './search/visibility.ts';
import { type ServerSlot, type UseSlot, useShared } from './session/server-slot.ts';

/** The backend over language servers: it picks the sessions, joins their answers, and says what is doubtful. */
export class LspBackend implements Backend {
  readonly #workspace: Workspace;
  readonly #router: Router;
  readonly #listeners: Set<(path: string) => void>;
  readonly #unsubscribe: () => void;
  readonly #asking: AskContext;
  /** None where other text than the disk's is meant, which nobody else may be answered from. */
  readonly #cache: AnswerCache | undefined;

  /** @param held How servers are used, and what is known of their projects, where other text than the disk's is meant. */
  constructor(
    workspace: Workspace,
    router: Router,
    listeners: Set<(path: string) => void>,
    unsaved?: { readonly use: UseSlot; readonly projects: ProjectLoader },
    cacheOptions: CacheOptions = defaultCacheOptions,
  ) {
    this.#workspace = workspace;
    this.#router = router;
    this.#listeners = listeners;
    const { use, projects } = unsaved ?? { use: useShared, projects: new ProjectLoader(workspace) };
    this.#asking = { workspace, projects, use };
    this.#cache = unsaved ? undefined : new AnswerCache(router, cacheOptions);
    this.#unsubscribe = unsaved ? () => {} : workspace.onChanges((changes) => this.#note(changes));
  }

  async ask<K extends QuestionKind>(question: Question<K>, call: Call): Promise<Reply<AnswerOf<K>>> {
    const row: Row<K> = rows[question.kind];
    const path = row.path(question);
    const among = await row.candidateFiles?.(question, this.#workspace, call);
    const slots =
      path === undefined ? this.#among(row, question, among) : this.#router.forFile(path, question.kind);
    const blocked = () =>
      path === undefined
        ? this.#router.blockedByTrustAnywhere(question.kind, among)
        : this.#router.blockedByTrust(path, question.kind);
    const ask: AskServers<K> = (inner, snapshot) => {
      const use = snapshot?.recording(this.#asking.use) ?? this.#asking.use;
      return this.#askServers(
        { ...this.#asking, use, candidateFiles: among },
        { question, slots, withheld: blocked },
        inner,
      );
    };
    const cache = this.#cache;
    if (!cache) return ask(call);
    const isWithheld = () => blocked().length > 0;
    return cache.ask(question, { slots, isBlocked: isWithheld }, call, ask);
  }

  sight(place: Place, files: readonly string[]): Promise<ReadonlyMap<string, Sight>> {
    return visibilityFrom({ router: this.#router, projects: this.#asking.projects }, place, files);
  }

  async diagnostics(files: readonly string[], call: Call): Promise<Reply<readonly FileProblems[]>> {
    const sources = { router: this.#router, workspace: this.#workspace, use: this.#asking.use };
    return fileDiagnostics(sources, files, call);
  }

  overlay<T>(texts: OverlayTexts, call: Call, work: (overlaid: Answering) => Promise<T>): Promise<T> {
    const [router, projects] = [this.#router, this.#asking.projects];
    return withOverlay({ router, workspace: this.#workspace }, texts, call, ({ workspace, use }) =>
      work(new LspBackend(workspace, router, this.#listeners, { use, projects })),
    );
  }

  workspaceDiagnostics(call: Call): Promise<Reply<WorkspaceProblems>> {
    const sources = { router: this.#router, workspace: this.#workspace, use: this.#asking.use };
    return collectWorkspaceDiagnostics(sources, call);
  }

  propose(action: Action, call: Call): Promise<Proposal> {
    const sources = { router: this.#router, workspace: this.#workspace, use: this.#asking.use };
    return proposeAction(sources, action, call);
  }

  moved(moves: readonly FileMove[], call: Call): Promise<void> {
    return tellMoved({ router: this.#router, workspace: this.#workspace }, moves, call);
  }

  peek<K extends QuestionKind>(question: Question<K>, call: Call): Promise<AnswerOf<K> | undefined> {
    return peek(this.#asking, this.#router, question, call);
  }

  troubled(): readonly string[] {
    const stores = this.#router.slots.flatMap(({ session }) =>
      session?.alive ? [session.diagnostics.disk] : [],
    );
    return [...new Set(stores.flatMap((board) => board.pathsWithProblems()))];
  }

  onDiagnostics(listener: (path: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  status(): Promise<readonly ServerStatus[]> {
    return serverStatuses(this.#router);
  }

  restart(selector: ServerSelector, call: Call): Promise<readonly ServerOutcome[]> {
    return restartServers(this.#router, selector, call);
  }

  stop(selector: ServerSelector, call: Call): Promise<readonly ServerOutcome[]> {
    return stopServers(this.#router, selector, call);
  }

  /** Starts the servers that are not to wait for the first call. */
  async startEarly(call: Call): Promise<void> {
    const early = this.#router.early().map(({ root, definition }) => this.#router.slot(definition, root));
    await Promise.all(early.map((slot) => slot.obtain(call)));
  }

  async close(options: { readonly hurried?: boolean } = {}): Promise<void> {
    this.#unsubscribe();
    await this.#router.close(options);
  }

  async #askServers<K extends QuestionKind>(
    asking: AskContext,
    {
      question,
      slots,
      withheld: blocked,
    }: {
      readonly question: Question<K>;
      readonly slots: readonly ServerSlot[];
      readonly withheld: () => readonly Doubt[];
    },
    call: Call,
  ): Promise<Reply<AnswerOf<K>>> {
    const row: Row<K> = rows[question.kind];
    const { answer, doubts } = row.union
      ? await askAll(asking, { router: this.#router, row, union: row.union }, question, slots, call)
      : await (row.refusal
          ? askFirstCapable(slots, (slot) => askServer(asking, row, question, slot, call))
          : askInOrder(asking, row, question, slots, call));
    // What was found by position is right whatever else may be missing.
    if (!searchOf(row, question) && !row.union && row.count(answer, question) > 0) return { answer, doubts };
    const missing = blocked();
    const find = (place: Place, known: readonly Span[]) => this.#elsewhere(asking, place, known, call);
    const more = await row.addFromOtherServers?.(question, answer, find, this.#workspace);
    return { answer: more?.answer ?? answer, doubts: [...doubts, ...(more?.doubts ?? []), ...missing] };
  }

  /** The servers of some files that are asked, or of all; none only where that is no error. */
  #among<K extends QuestionKind>(
    { optional, appliesTo }: Row<K>,
    question: Question<K>,
    files: readonly string[] | undefined,
  ): readonly ServerSlot[] {
    if (!optional) return this.#router.forWorkspace(question.kind, files);
    const slots = this.#router.servingAny(question.kind, files);
    return slots.filter(({ definition }) => appliesTo?.(question, definition, this.#workspace) !== false);
  }

  #elsewhere(
    asking: AskContext,
    place: Place,
    known: readonly Span[],
    call: Call,
  ): Promise<Reply<readonly Span[]>> {
    if (this.#router.seeing(place.path).length === 0) return Promise.resolve({ answer: known, doubts: [] });
    const inner = beginShare(call, shareOfCall);
    const ask = (slot: ServerSlot, mention: Place) =>
      askServer(asking, rows.references, { kind: 'references', place: mention }, slot, inner);
    const found = usesInOtherLanguages(
      { router: this.#router, workspace: this.#workspace, ask },
      place,
      known,
      inner,
    );
    return found.finally(() => inner[Symbol.dispose]());
  }

  #note(changes: readonly Change[]): void {
    this.#cache?.note();
    this.#asking.projects.note(changes);
    this.#router.note(changes);
  }
}

/** Asks the servers that run already, for what is not worth the start of one; nothing where none of them answers such. */
async function peek<K extends QuestionKind>(
  asking: AskContext,
  router: Router,
  question: Question<K>,
  call: Call,
): Promise<AnswerOf<K> | undefined> {
  const row: Row<K> = rows[question.kind];
  const path = row.path(question);
  const serving = path === undefined ? router.servingAny(question.kind) : router.serving(path, question.kind);
  const running = serving.filter(({ session }) => session?.alive === true);
  if (running.length === 0) return undefined;
  const { answer } = row.union
    ? await askAll(asking, { router, row, union: row.union }, question, running, call)
    : await askInOrder(asking, row, question, running, call);
  return answer;
}

/**
 * Tells the running servers that asked for it that files were moved, after what changed on the disk. One that cannot be
 * told is left to what the disk says: the files are moved all the same.
 */
async function tellMoved(
  { router, workspace }: { readonly router: Router; readonly workspace: Workspace },
  moves: readonly FileMove[],
  call: Call,
): Promise<void> {
  const running = router.slots.filter(({ session }) => session?.alive === true);
  const told = running.map((slot) =>
    slot.use(call, async (session) => {
      await session.documents.sync([]);
      const options = session.capabilities.everyOptions(method, 'workspace.fileOperations.didRename');
      const wanted = wantedMoves(options, moves, formerFiles(moves, workspace));
      if (wanted.length > 0) session.notify(method, renameParams(wanted, workspace));
    }),
  );
  await Promise.allSettled(told);
}

const method = 'workspace/didRenameFiles';

/** Where the files were that have moved with their folders. */
function formerFiles(moves: readonly FileMove[], workspace: Workspace): readonly string[] {
  const back = moves.filter(({ isFolder }) => isFolder).map(({ from, to }) => ({ from: to, to: from }));
  return back.flatMap((move) =>
    movedFiles({ ...move, isFolder: true }, workspace.files()).map(({ to }) => to),
  );
}
