import { beginCall, type Call } from '../../core/call.ts';
import { type Doubt, uniqueDoubts } from '../../core/doubts.ts';
import type { Log } from '../../core/log.ts';
import { doubtForHost, errorForHost } from '../../core/wording/api-words.ts';
import { noWorkspace } from '../../workspace/no-workspace.ts';
import type { ContextsByCaller } from '../run/callers.ts';
import { retryOnUnsavedChange } from '../run/retry-on-unsaved-change.ts';
import type { ToolContext } from '../run/tool.ts';
import { checkFile } from './check-file.ts';
import type { HostApi, HostApiOptions } from './host-api.ts';
import { knownProblems } from './host-problems.ts';
import { hostServer } from './host-server.ts';
import type { McpResources } from './resources.ts';

/** What a desk needs beside worlds. */
interface HostApiSettings {
  /** How long a question may take, in milliseconds. */
  readonly deadline: number;
  readonly log: Log;
  /** Ends what was left half done in the workspace, before anybody looks at it; never rejects. */
  readonly prepare: () => Promise<void>;
  readonly resources: Pick<McpResources, 'onProblems'>;
}

/** What a program around lspan can ask of worlds beside tools. */
export function openHostApi(
  contexts: ContextsByCaller,
  { deadline, log, prepare, resources }: HostApiSettings,
): HostApi {
  const { workspace, backend } = contexts.of(undefined);
  const during = async <T>(
    { signal, report, scope }: HostApiOptions,
    work: (context: ToolContext, call: Call) => Promise<T>,
  ): Promise<T> => {
    await prepare();
    const call = beginCall({ time: deadline, scope, ...(report ? { report } : {}) }, signal);
    return work(contexts.of(scope), call)
      .catch(failing)
      .finally(() => call[Symbol.dispose]());
  };
  const steadily = async <T extends { readonly doubts: readonly Doubt[] }>(
    options: HostApiOptions,
    work: (context: ToolContext, call: Call) => Promise<T>,
  ): Promise<T> =>
    inHostWords(
      await during(options, (context, call) => retryOnUnsavedChange(workspace, () => work(context, call))),
    );
  const failing = (thrown: unknown): never => {
    const error = errorForHost(thrown);
    if (error.code === 'internal') log('error', 'desk_failed', { error: thrown });
    throw error;
  };
  return {
    check: (file, text, options = {}) =>
      steadily(options, (context, call) => checkFile(context, file, text, call)),
    problems: (options = {}) => steadily(options, knownProblems),
    servers: (options = {}) =>
      during(options, async (_, call) => {
        // Which servers there could be is up to the files that are there.
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

/** The same without what is said twice, and in words that fit. */
function inHostWords<T extends { readonly doubts: readonly Doubt[] }>(told: T): T {
  return { ...told, doubts: uniqueDoubts(told.doubts.map(doubtForHost)) };
}

/** The desk of a bridge, which has one wherever a workspace is known. Throws what every call is told elsewhere. */
export function requireHostApi(hostApi: HostApi | undefined): HostApi {
  if (hostApi === undefined) throw noWorkspace();
  return hostApi;
}
