import { admitTexts, gateOf } from './client/admit-paths.ts';
import { answersOf, doubting } from './client/answers-of.ts';
import { chosenServers } from './client/chosen-servers.ts';
import type { AskOptions, Client } from './client/client.ts';
import { ClientCalls } from './client/client-calls.ts';
import type { ServerChoice } from './client/given-server.ts';
import { defaultConfig } from './config/default-config.ts';
import type { Reply, ServerStatus } from './core/backend.ts';
import type { Call } from './core/call.ts';
import { checkArguments, checkHeld, checkListener, type Kind, kinds } from './core/check-arguments.ts';
import type { Doubt } from './core/doubts.ts';
import { LspanError } from './core/errors.ts';
import { type Log, silent } from './core/log.ts';
import { errorForLibrary } from './core/wording/api-words.ts';
import { openServers, type TraceEntry } from './open-servers.ts';
import { retryOnUnsavedChange } from './tools/run/retry-on-unsaved-change.ts';
import { openWorkspace } from './workspace/open-workspace.ts';
import type { Workspace } from './workspace/workspace.ts';

export type { AskOptions, Client, Overlaid, Texts } from './client/client.ts';
export type { GivenServer, ServerChoice } from './client/given-server.ts';
export type { Reply, ServerOutcome, ServerStatus } from './core/backend.ts';
export type { Doubt, DoubtKind } from './core/doubts.ts';
export { type ErrorCode, LspanError } from './core/errors.ts';
export type { Log } from './core/log.ts';
export type { Position, Range } from './core/position.ts';
export type { FileProblems, Problem, WorkspaceProblems } from './core/problems.ts';
export type { Proposal } from './core/proposal.ts';
export type { AnswerOf, Place, Question, QuestionKind, Span, Vocabulary } from './core/question.ts';
export type { TraceEntry } from './open-servers.ts';
export { version } from './version.ts';

/** Options of `startClient`. No configuration file is read. */
export interface ClientOptions {
  /** The folder or folders that questions are about. */
  readonly workspace: string | readonly string[];
  /** The language server, or several that serve different files or answer different questions. */
  readonly server: ServerChoice | readonly ServerChoice[];
  /** Files to exclude from searches in addition to those that git ignores, in `.gitignore` syntax. */
  readonly exclude?: readonly string[];
  /** Maximum milliseconds of a question. Default 30,000. */
  readonly deadline?: number;
  /** Environment variables, of which servers get those that they need. Default: those of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Called for each log event. Default: no log. */
  readonly log?: Log;
  /** Called with each message between the client and a server. */
  readonly trace?: (entry: TraceEntry) => void;
}

/**
 * Creates a client of a language server. The server starts with the first question, or with `start()`.
 *
 * ```js
 * import { startClient } from 'lspan/lsp';
 *
 * const client = await startClient({ workspace: '.', server: 'typescript' });
 * const place = { path: 'src/cart.ts', position: { line: 11, character: 15 } };
 * const { answer, doubts } = await client.ask({ kind: 'references', place });
 * for (const { path, range } of answer) console.log(path, range.start.line);
 * await client.close();
 * ```
 */
export async function startClient(options: ClientOptions): Promise<Client> {
  const { environment = process.env, log = silent, trace, exclude = [] } = checked(options);
  const definitions = chosenServers(options.server);
  const config = { ...defaultConfig, deadline: options.deadline ?? defaultConfig.deadline };
  const workspace = await openWorkspace({ roots: rootsOf(options), log, exclude }).catch(rethrow);
  const servers = openServers(workspace, definitions, { log, environment, ...(trace && { trace }) }, config);
  const { backend } = servers;
  const calls = new ClientCalls(config.deadline);
  const gate = gateOf(workspace);
  const { refreshed, retried } = runnersOf(workspace, calls);
  const close = once(async () => {
    calls.close();
    await servers.close();
    await workspace.close();
  });
  return {
    roots: workspace.roots,
    ask: (question, chosen) =>
      retried(chosen, (call, watched) => answersOf(backend, gate, call, watched).ask(question)),
    diagnostics: (files, chosen) =>
      retried(chosen, (call, watched) => answersOf(backend, gate, call, watched).diagnostics(files)),
    workspaceDiagnostics: (chosen) =>
      retried(chosen, async (call, watched) => doubting(await backend.workspaceDiagnostics(call), watched)),
    propose: (action, chosen) => refreshed(chosen, (call) => backend.propose(action, call)),
    overlay: async (texts, work, chosen) => {
      const outcome = await refreshed(chosen, async (call, watched) => {
        const real = await admitTexts(texts, workspace);
        return backend.overlay(real, call, (overlaid) =>
          outcomeOf(() => work(answersOf(overlaid, gateOf(workspace, real), call, watched))),
        );
      });
      return outcome();
    },
    hold: (file, text) => {
      calls.check();
      checkHeld(file, text);
      workspace.hold(file, text ?? undefined);
    },
    // In a microtask, so that an error of the listener does not reach the server's message loop.
    onDiagnostics: (listener) => {
      checkListener(listener);
      return backend.onDiagnostics((path) => queueMicrotask(() => listener(path)));
    },
    start: (chosen) =>
      refreshed(chosen, async (call) => {
        await backend.startEarly(call);
        refuseUntrusted(await backend.servers.status(), servers.health().length);
      }),
    status: (chosen) => refreshed(chosen, () => backend.servers.status()),
    restart: (chosen) => refreshed(chosen, (call) => backend.servers.restart({}, call)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function rethrow(thrown: unknown): never {
  throw errorForLibrary(thrown);
}

type Work<T> = (call: Call, watched: readonly Doubt[]) => Promise<T>;

function runnersOf(workspace: Workspace, calls: ClientCalls) {
  /** Runs `work` when every earlier change on the disk has reached the servers. */
  const refreshed = <T>(options: AskOptions | undefined, work: Work<T>) =>
    calls.run(options, async (call) => work(call, await workspace.refresh(call)));
  /** Like `refreshed`, but asks once more if an unsaved text changed meanwhile. */
  const retried = <T>(options: AskOptions | undefined, work: Work<Reply<T>>) =>
    refreshed(options, (call, watched) => retryOnUnsavedChange(workspace, () => work(call, watched)));
  return { refreshed, retried };
}

function once(end: () => Promise<void>): () => Promise<void> {
  let ended: Promise<void> | undefined;
  return () => {
    ended ??= end();
    return ended;
  };
}

/** Passes an error of the caller's own work to the caller unchanged. */
function outcomeOf<T>(work: () => Promise<T>): Promise<() => T> {
  return Promise.resolve()
    .then(work)
    .then(
      (value) => () => value,
      (thrown: unknown) => () => {
        throw thrown;
      },
    );
}

/** An early start skips servers that the workspace is not trusted for, so report them here. */
function refuseUntrusted(statuses: readonly ServerStatus[], started: number): void {
  const untrusted = statuses.find(({ state }) => state === 'not_trusted');
  if (!untrusted && started > 0) return;
  const why =
    untrusted?.lastErrors.join(' ') ?? 'The workspace code that the server would run is not trusted.';
  throw new LspanError('refused', why, { nextStep: 'Let the user run lspan trust in that folder.' });
}

/** Callers may be untyped: without a check, a misspelt option would be ignored. */
function checked(options: ClientOptions): ClientOptions {
  checkArguments('startClient', options, rows);
  return options;
}

const rows: Readonly<Record<keyof ClientOptions, Kind>> = {
  workspace: kinds.folders,
  // Checked when it is read.
  server: { is: () => true, said: 'a server' },
  exclude: kinds.texts,
  deadline: kinds.milliseconds,
  environment: kinds.variables,
  log: kinds.listener,
  trace: kinds.listener,
};

function rootsOf({ workspace }: ClientOptions): readonly string[] {
  const folders = typeof workspace === 'string' ? [workspace] : (workspace ?? []);
  if (folders.length > 0) return folders;
  throw new LspanError('invalid_input', 'startClient: No workspace is given.', {
    nextStep: 'Give the path of a folder as the setting workspace, or a list of such paths.',
  });
}
