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
import type { FileProblems, WorkspaceProblems } from '../../core/problems.ts';
import type { Proposal } from '../../core/proposal.ts';
import type { Action, AnswerOf, FileMove, Place, Question, QuestionKind } from '../../core/questions.ts';
import type { Change, Workspace } from '../../workspace/workspace.ts';
import { AnswerCache, type CacheOptions, defaultCacheOptions } from './asking/answer-cache.ts';
import { askServers } from './asking/ask-servers.ts';
import { chooseRunning, chooseServers } from './asking/choose-servers.ts';
import { askServer, openPipeline } from './asking/pipeline.ts';
import { proposeAction } from './asking/propose-action.ts';
import type { AskContext, Next } from './asking/stage.ts';
import { restartServers, stopServers } from './control/restart-servers.ts';
import { serverStatuses } from './control/server-status.ts';
import { fileDiagnostics } from './diagnostics/file-diagnostics.ts';
import { collectWorkspaceDiagnostics } from './diagnostics/workspace-diagnostics.ts';
import { withOverlay } from './overlay/overlay.ts';
import { movedFiles, renameParams, wantedMoves } from './questions/file-operations.ts';
import type { Router } from './routing/router.ts';
import { ProjectLoader } from './search/load-projects.ts';
import { visibilityFrom } from './search/visibility.ts';
import { type UseSlot, useShared } from './session/server-slot.ts';

/** The backend over language servers: it picks the sessions, joins their answers, and says what is doubtful. */
export class LspBackend implements Backend {
  readonly #workspace: Workspace;
  readonly #router: Router;
  readonly #listeners: Set<(path: string) => void>;
  readonly #unsubscribe: () => void;
  readonly #asking: AskContext;
  /** None where other text than the disk's is meant, which nobody else may be answered from. */
  readonly #cache: AnswerCache | undefined;
  readonly #ask: Next<'question'>;

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
    this.#asking = { workspace, router, projects, use };
    this.#cache = unsaved ? undefined : new AnswerCache(router, cacheOptions);
    this.#ask = openPipeline(this.#cache);
    this.#unsubscribe = unsaved ? () => {} : workspace.onChanges((changes) => this.#note(changes));
  }

  async ask<K extends QuestionKind>(question: Question<K>, call: Call): Promise<Reply<AnswerOf<K>>> {
    return this.#ask(await chooseServers(this.#asking, question, call));
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
    const asked = chooseRunning(this.#asking, question, call);
    return asked ? askServers(asked, askServer).then(({ answer }) => answer) : Promise.resolve(undefined);
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

  #note(changes: readonly Change[]): void {
    this.#cache?.clear();
    this.#asking.projects.note(changes);
    this.#router.note(changes);
  }
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
