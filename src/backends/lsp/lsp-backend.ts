import type {
  Answering,
  Backend,
  OverlayTexts,
  Reply,
  ServerControl,
  Visibility,
  WorkspaceCheck,
} from '../../core/backend.ts';
import { beginCall, type Call, cancelSignalOf, until } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import type { FileProblems, WorkspaceProblems } from '../../core/problems.ts';
import type { Proposal } from '../../core/proposal.ts';
import type { Action, AnswerOf, FileMove, Place, Question, QuestionKind } from '../../core/question.ts';
import type { Change, Workspace } from '../../workspace/workspace.ts';
import { AnswerCache, type CacheOptions, defaultCacheOptions } from './asking/answer-cache.ts';
import { askServers } from './asking/ask-servers.ts';
import { chooseRunning, chooseServers } from './asking/choose-servers.ts';
import { askServer, openPipeline } from './asking/pipeline.ts';
import { proposeAction } from './asking/propose-action.ts';
import type { AskContext, Next } from './asking/stage.ts';
import { withOverlay } from './control/overlay.ts';
import { restartServers, stopServers } from './control/restart-servers.ts';
import { serverStatuses } from './control/server-status.ts';
import { CheckMemory } from './diagnostics/check-memory.ts';
import { checkWorkspace } from './diagnostics/check-workspace.ts';
import { fileDiagnostics } from './diagnostics/file-diagnostics.ts';
import { collectWorkspaceDiagnostics } from './diagnostics/workspace-diagnostics.ts';
import { ImportedFiles } from './documents/imported-files.ts';
import { movedFiles, renameParams, wantedMoves } from './questions/file-operations.ts';
import type { Router } from './routing/router.ts';
import { ProjectLoader } from './search/load-projects.ts';
import { visibilityFrom } from './search/visibility.ts';
import { useShared } from './session/server-slot.ts';

/** Answers about the text on the disk or under an overlay. */
class LspAnswers implements Answering {
  readonly #context: AskContext;
  readonly #ask: Next<'question'>;

  /** @param cache Absent for an overlay: no other caller may be answered from its text. */
  constructor(context: AskContext, cache?: AnswerCache) {
    this.#context = context;
    this.#ask = openPipeline(cache);
  }

  async ask<K extends QuestionKind>(question: Question<K>, call: Call): Promise<Reply<AnswerOf<K>>> {
    return this.#ask(await chooseServers(this.#context, question, call));
  }

  visibility(place: Place, files: readonly string[]): Promise<ReadonlyMap<string, Visibility>> {
    return visibilityFrom(this.#context, place, files);
  }

  diagnostics(files: readonly string[], call: Call): Promise<Reply<readonly FileProblems[]>> {
    return fileDiagnostics(this.#context, files, call);
  }
}

/** The backend over language servers: adds the cache of answers, overlays and the control of the servers. */
export class LspBackend extends LspAnswers implements Backend {
  readonly id = 'lsp';
  readonly servers: ServerControl;
  readonly #listeners: Set<(path: string) => void>;
  readonly #unsubscribe: () => void;
  readonly #context: AskContext;
  readonly #cache: AnswerCache;
  readonly #imported: ImportedFiles;
  readonly #workspace: Workspace;
  #isAsked = false;
  #watching: Promise<readonly Doubt[]> | undefined;
  /** The generation of the disk at which all imports were followed. */
  #watchedAt = -1;
  readonly #memory: CheckMemory;

  constructor(
    workspace: Workspace,
    router: Router,
    listeners: Set<(path: string) => void>,
    cacheOptions: CacheOptions = defaultCacheOptions,
  ) {
    const context = { workspace, router, projects: new ProjectLoader(workspace), use: useShared };
    const cache = new AnswerCache(router, cacheOptions);
    super(context, cache);
    this.#listeners = listeners;
    this.#context = context;
    this.#cache = cache;
    this.#workspace = workspace;
    this.#imported = new ImportedFiles(workspace);
    this.#memory = new CheckMemory(workspace);
    const ends = [
      workspace.onChanges((changes) => this.#note(changes)),
      workspace.onRefreshed((call) => this.#follow(call)),
    ];
    this.#unsubscribe = () => {
      for (const end of ends) end();
    };
    this.servers = serverControl(context);
  }

  overlay<T>(texts: OverlayTexts, call: Call, work: (overlaid: Answering) => Promise<T>): Promise<T> {
    return withOverlay(this.#context, texts, call, ({ workspace, use }) =>
      work(new LspAnswers({ ...this.#context, workspace, use })),
    );
  }

  override async diagnostics(files: readonly string[], call: Call): Promise<Reply<readonly FileProblems[]>> {
    const unwatched: Doubt[] = [];
    for (const file of files) unwatched.push(...(await this.#imported.watch(file, call)));
    const { answer, doubts } = await super.diagnostics(files, call);
    return { answer, doubts: [...doubts, ...unwatched] };
  }

  async workspaceDiagnostics(call: Call, check?: WorkspaceCheck): Promise<Reply<WorkspaceProblems>> {
    if (check === undefined) return collectWorkspaceDiagnostics(this.#context, call);
    const context = { ...this.#context, memory: this.#memory };
    const watched = this.#watchImported();
    const { answer, doubts } = await checkWorkspace(context, check.among, call);
    return { answer, doubts: [...doubts, ...(await watched)] };
  }

  override ask<K extends QuestionKind>(question: Question<K>, call: Call): Promise<Reply<AnswerOf<K>>> {
    this.#isAsked = true;
    return super.ask(question, call);
  }

  /** Notices changes of the ignored files that sources import. Before the first question, servers have read none of them. */
  async #follow(call: Call): Promise<void> {
    const isCurrent = this.#watchedAt === this.#workspace.generation() && !this.#imported.mayBeMade;
    if (this.#isAsked && !isCurrent) await until(this.#watchImported(), cancelSignalOf(call));
  }

  /** Reads which files import which, and watches the ignored ones; shared by those who ask meanwhile. */
  #watchImported(): Promise<readonly Doubt[]> {
    this.#watching ??= this.#watchAll().finally(() => {
      this.#watching = undefined;
    });
    return this.#watching;
  }

  async #watchAll(): Promise<readonly Doubt[]> {
    using call = beginCall({ time: limits.imports.time });
    await this.#memory.learn();
    const doubts = await this.#imported.watchAll(this.#memory.graph.takeRead(), call);
    this.#watchedAt = this.#workspace.generation();
    return doubts;
  }

  propose(action: Action, call: Call): Promise<Proposal> {
    return proposeAction(this.#context, action, call);
  }

  onDiagnostics(listener: (path: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Starts the servers that are not to wait for the first call. */
  async startEarly(call: Call): Promise<void> {
    const { router } = this.#context;
    const early = router.early().map(({ root, definition }) => router.slot(definition, root));
    await Promise.all(early.map((slot) => slot.obtain(call)));
  }

  async close(options: { readonly hurried?: boolean } = {}): Promise<void> {
    this.#unsubscribe();
    await this.#context.router.close(options);
  }

  #note(changes: readonly Change[]): void {
    this.#cache.clear();
    this.#memory.note(changes);
    this.#context.projects.note(changes);
    this.#context.router.note(changes);
  }
}

/** The control of the servers that questions are asked of. */
function serverControl(context: AskContext): ServerControl {
  const { router } = context;
  return {
    status: () => serverStatuses(router),
    restart: (selector, call) => restartServers(router, selector, call),
    stop: (selector, call) => stopServers(router, selector, call),
    filesMoved: (moves, call) => tellMoved(context, moves, call),
    askRunning: async (question, call) => {
      const asked = chooseRunning(context, question, call);
      return asked && (await askServers(asked, askServer)).answer;
    },
    filesWithProblems: () => {
      const alive = router.slots.flatMap(({ session }) => (session?.alive ? [session] : []));
      return [...new Set(alive.flatMap(({ diagnostics }) => diagnostics.disk.pathsWithProblems()))];
    },
  };
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
