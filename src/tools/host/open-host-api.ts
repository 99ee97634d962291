import type { ServerStatus } from '../../core/backend.ts';
import { beginCall, type Call } from '../../core/call.ts';
import { type Doubt, uniqueDoubts } from '../../core/doubts.ts';
import type { Log } from '../../core/log.ts';
import { doubtForHost, errorForHost } from '../../core/wording/api-words.ts';
import { visibleLine } from '../../core/wording/visible.ts';
import { noWorkspace } from '../../workspace/no-workspace.ts';
import type { ContextsByCaller } from '../run/callers.ts';
import { retryOnUnsavedChange } from '../run/retry-on-unsaved-change.ts';
import type { ToolContext } from '../run/tool.ts';
import { checkFile } from './check-file.ts';
import type { HostApi, HostApiOptions, HostServer } from './host-api.ts';
import { knownProblems } from './host-problems.ts';
import type { McpResources } from './resources.ts';

/** Settings of the host API. */
interface HostApiSettings {
  /** The time limit of a question, in milliseconds. */
  readonly deadline: number;
  readonly log: Log;
  /** Ends edits that were interrupted, before anything looks at the workspace; never rejects. */
  readonly prepare: () => Promise<void>;
  readonly resources: Pick<McpResources, 'onProblems'>;
}

/** Opens what a program around lspan can ask besides tools. */
export function openHostApi(
  contexts: ContextsByCaller,
  { deadline, log, prepare, resources }: HostApiSettings,
): HostApi {
  const { workspace, backend } = contexts.of(undefined);
  const withCall = async <T>(
    { signal, report, scope }: HostApiOptions,
    work: (context: ToolContext, call: Call) => Promise<T>,
  ): Promise<T> => {
    await prepare();
    const call = beginCall({ time: deadline, scope, ...(report ? { report } : {}) }, signal);
    return work(contexts.of(scope), call)
      .catch(reject)
      .finally(() => call[Symbol.dispose]());
  };
  const withRetry = async <T extends { readonly doubts: readonly Doubt[] }>(
    options: HostApiOptions,
    work: (context: ToolContext, call: Call) => Promise<T>,
  ): Promise<T> =>
    wordedForHost(
      await withCall(options, (context, call) => retryOnUnsavedChange(workspace, () => work(context, call))),
    );
  const reject = (thrown: unknown): never => {
    const error = errorForHost(thrown);
    if (error.code === 'internal') log('error', 'desk_failed', { error: thrown });
    throw error;
  };
  return {
    check: (file, text, options = {}) =>
      withRetry(options, (context, call) => checkFile(context, file, text, call)),
    problems: (options = {}) => withRetry(options, knownProblems),
    servers: (options = {}) =>
      withCall(options, async (_, call) => {
        // Which servers there can be depends on the files that there are.
        await workspace.refresh(call);
        const statuses = await backend.servers.status();
        const shown = statuses.filter(({ spare }) => !spare);
        return shown.map((status) => hostServer(status, workspace.roots.length > 1));
      }),
    hold: (file, text) => workspace.hold(file, text ?? undefined),
    onProblems: (listener) =>
      resources.onProblems((path) => {
        if (path === undefined) listener();
        else if (workspace.rootOf(path) !== undefined) listener(workspace.show(path));
      }),
  };
}

/** Removes duplicate doubts, and words them for programs. */
function wordedForHost<T extends { readonly doubts: readonly Doubt[] }>(answer: T): T {
  return { ...answer, doubts: uniqueDoubts(answer.doubts.map(doubtForHost)) };
}

/** Returns the host API of a bridge. Throws, as every call then does, if no workspace is known. */
export function requireHostApi(hostApi: HostApi | undefined): HostApi {
  if (hostApi === undefined) throw noWorkspace();
  return hostApi;
}

/** Converts the state of a server for a program around lspan, with its root if there are several. */
export function hostServer(status: ServerStatus, withRoot: boolean): HostServer {
  const { id, root, state } = status;
  const detail = details[state](status).map(asSentence).join(' ');
  return {
    serverId: id,
    state: states[state],
    detail: visibleLine(withRoot ? `${root}: ${detail}` : detail),
  };
}

const states: Readonly<Record<ServerStatus['state'], HostServer['state']>> = {
  ready: 'ok',
  running: 'ok',
  starting: 'starting',
  indexing: 'starting',
  not_started: 'idle',
  stopped: 'idle',
  crashed: 'broken',
  not_installed: 'broken',
  not_trusted: 'broken',
};

const details: Readonly<Record<ServerStatus['state'], (status: ServerStatus) => readonly string[]>> = {
  ready: (status) => [`Ready${programOf(status)}`, ...caveats(status)],
  running: (status) => [`Running${programOf(status)}`, ...caveats(status)],
  starting: () => ['Starting'],
  indexing: ({ loading, ...status }) => [
    `Loading the project${programOf(status)}${loading ? `, ${loading.seconds} s so far` : ''}`,
    ...(loading?.doing ? [`It says: ${loading.doing}`] : []),
  ],
  not_started: ({ standbyFor }) => [
    standbyFor === undefined ? 'Starts when needed' : `Standby: ${standbyFor} is asked instead`,
  ],
  stopped: () => ['Stopped; restarts when needed'],
  crashed: ({ lastErrors, leftAloneSeconds }) => [
    ...(lastErrors.length > 0 ? lastErrors : ['Crashed']),
    leftAloneSeconds === undefined ? 'It restarts when needed' : `It can restart in ${leftAloneSeconds} s`,
  ],
  not_installed: ({ lastErrors, install }) => [
    ...(lastErrors.length > 0 ? lastErrors : ['Not installed']),
    ...(install ? [install] : []),
  ],
  not_trusted: ({ lastErrors }) => (lastErrors.length > 0 ? lastErrors : ['Not trusted']),
};

/** Renders ` (name 1.2, 80 MB)`. */
function programOf({ version, memoryBytes }: Pick<ServerStatus, 'version' | 'memoryBytes'>): string {
  const memory = memoryBytes === undefined ? [] : [`${Math.round(memoryBytes / 1024 ** 2)} MB`];
  const facts = [...(version === undefined ? [] : [version]), ...memory];
  return facts.length === 0 ? '' : ` (${facts.join(', ')})`;
}

function caveats({ doubts }: ServerStatus): readonly string[] {
  if (doubts.length === 0) return [];
  return ['Its answers may be incomplete', ...doubts.map(({ detail }) => detail)];
}

/** Adds a full stop, except to an address, which it would change. */
function asSentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?]$|https?:\S+$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
