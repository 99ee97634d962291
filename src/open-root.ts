import { combineBackends } from './backends/combine-backends.ts';
import type { BridgeSettings } from './bridge-settings.ts';
import type { Config } from './config/config.ts';
import { mergeDefinitions } from './config/servers/merge-definition.ts';
import { singleDefinition } from './config/servers/single-definition.ts';
import type { Backend, Repositories, ServerHealth } from './core/backend.ts';
import { beginCall, within } from './core/call.ts';
import { LspanError } from './core/errors.ts';
import { limits } from './core/limits.ts';
import { CallInProgress, CallsInProgress } from './core/runtime/calls-in-progress.ts';
import type { CancelSignal } from './core/runtime/cancellation.ts';
import type { CallFate } from './edits/leftovers.ts';
import { openConfig } from './effective-config.ts';
import { openContext } from './open-context.ts';
import { openIndex } from './open-index.ts';
import { openServers } from './open-servers.ts';
import type { ServerDefinition } from './servers/definition.ts';
import { servers } from './servers/index.ts';
import { findTool, surfaceNamed } from './surfaces/find-tool.ts';
import { getDiagnostics } from './tools/diagnostics/get-diagnostics.ts';
import type { HostApi, HostApiOptions } from './tools/host/host-api.ts';
import { openHostApi } from './tools/host/open-host-api.ts';
import { type McpResources, mcpResourcesOf } from './tools/host/resources.ts';
import { fail } from './tools/run/render-error.ts';
import type { Outcome, ServerActions } from './tools/run/tool.ts';
import { openWorkspace } from './workspace/open-workspace.ts';
import type { Workspace } from './workspace/workspace.ts';

/** Options of a call of a tool. */
export interface CallOptions {
  readonly signal?: CancelSignal;
  readonly report?: (message: string) => void;
  /** The part that the model will see, which `max_tokens` counts. Default `text`. */
  readonly shown?: 'text' | 'data';
  /** The surface whose tool names are meant. Default: that of the settings. */
  readonly surface?: string;
  /** The id of the caller: a caller cannot use another caller's cursors and plans. */
  readonly scope?: string;
  /** The id of the call, by which the caller can ask what became of it. */
  readonly id?: string;
  /** True if this caller may not write, whatever others may. */
  readonly readOnly?: boolean;
}

/** One workspace with its servers, tools and edits. */
export interface OpenRoot {
  readonly config: Config;
  /** Real paths. */
  readonly roots: readonly string[];
  /** Never rejects: an error is an outcome with `isError`. */
  call(tool: string, args: unknown, options?: CallOptions): Promise<Outcome>;
  /** Returns what became of a call with an id, once edits that were left half done are ended. */
  fateOf(call: string): Promise<CallFate>;
  readonly resources: McpResources;
  readonly hostApi: HostApi;
  /** Forgets the cursors and plans of a caller who has gone. */
  forget(scope: string): void;
  /** Returns the health of the servers that were used so far, as known already. */
  health(): readonly ServerHealth[];
  /** The state of the servers, and how they are stopped and restarted. */
  readonly servers: ServerActions;
  /** Returns the top folder of another worktree of the repository that contains a path outside this workspace. */
  otherWorktree(path: string): string | undefined;
  /** The calls in progress, of tools and of what is asked beside them. */
  readonly calls: Pick<CallsInProgress, 'idle' | 'count'>;
  close(options?: { readonly hurried?: boolean }): Promise<void>;
}

/** Opens a workspace: makes everything from the settings. Starts no server unless the settings ask for it. */
export async function openRoot(settings: BridgeSettings): Promise<OpenRoot> {
  const { roots, single, log } = settings;
  const config = await openConfig(settings);
  const definitions = single ? [singleDefinition(single, servers)] : mergeDefinitions(servers, config);
  // An unknown one is told at once.
  surfaceNamed(settings.surface);
  const calls = new CallsInProgress({ onRemoved: settings.onCallRemoved });
  const workspace = await openWorkspace({
    ...{ roots, log, additionalRoots: settings.additionalRoots, base: settings.base },
    exclude: config.exclude,
    largestDocument: config.limits.document,
  });
  const answerer = openAnswerer(workspace, definitions, settings, config);
  const { contexts, leftovers } = openContext(workspace, answerer, settings, config);
  const { maxTokens, deadlines } = config;
  const timeOf = (tool: string) => deadlines[tool] ?? config.deadline;
  const prepare = async () => {
    if (!config.readOnly) await leftovers.recover(config.deadline);
  };
  const deadline = timeOf(getDiagnostics.name);
  const resources = mcpResourcesOf(contexts, {
    deadline,
    maxTokens,
    log,
    onDiagnostics: (listener) => answerer.backend.onDiagnostics(listener),
  });
  return {
    config,
    roots: workspace.roots,
    forget: (scope) => contexts.forget(scope),
    health: answerer.health,
    servers: answerer.backend.servers,
    otherWorktree: workspace.otherWorktree,
    calls,
    resources: registeredResources(resources, calls),
    hostApi: registeredHostApi(openHostApi(contexts, { deadline, log, prepare, resources }), calls),
    fateOf: (call) => prepare().then(() => leftovers.fateOf(call)),
    call: async (name, args, options = {}) => {
      const readOnly = config.readOnly || options.readOnly === true;
      const tool = findTool(surfaceNamed(options.surface ?? settings.surface), name, readOnly);
      if (tool instanceof LspanError) return fail(tool);
      const { report = () => {}, shown = 'text', scope, id } = options;
      const callOptions = { deadline: timeOf(name), maxTokens, shown, report, log, scope, id };
      const run = async (signal: CancelSignal) => {
        if (!readOnly) await prepare();
        return tool.run(contexts.of(scope, { readOnly }), args, { ...callOptions, signal });
      };
      return calls.run(new CallInProgress({ owner: scope }), run, options.signal);
    },
    close: async (options = {}) => {
      contexts.close();
      // Once this has resolved, nothing is written any more.
      const ended = within(calls.end(ending), options.hurried ? limits.stop.calls : config.deadline);
      const closing = [answerer.close(options), ended.then(() => workspace.close())];
      const [closed] = await Promise.allSettled(closing);
      if (closed?.status === 'rejected') throw closed.reason;
    },
  };
}

function registeredResources(resources: McpResources, calls: CallsInProgress): McpResources {
  const problemsOf: McpResources['problemsOf'] = (file, asked = {}) =>
    calls.run(
      new CallInProgress(),
      (signal) => resources.problemsOf(file, { ...asked, signal }),
      asked.signal,
    );
  return { ...resources, problemsOf };
}

function registeredHostApi(hostApi: HostApi, calls: CallsInProgress): HostApi {
  const run = <T>(asked: HostApiOptions = {}, ask: (own: HostApiOptions) => Promise<T>) =>
    calls.run(new CallInProgress(), (signal) => ask({ ...asked, signal }), asked.signal);
  return {
    ...hostApi,
    check: (file, text, asked) => run(asked, (own) => hostApi.check(file, text, own)),
    problems: (asked) => run(asked, (own) => hostApi.problems(own)),
    servers: (asked) => run(asked, (own) => hostApi.servers(own)),
  };
}

function ending(): LspanError {
  return new LspanError('cancelled', 'lspan is stopping.', {
    nextStep: 'Start it again, or open another bridge.',
  });
}

/** The backend of a workspace, and its health. */
interface OpenAnswerer {
  readonly backend: Backend;
  readonly warnings: readonly string[];
  /** Absent with a given backend, which knows its files only. */
  readonly repositories?: Repositories;
  health(): readonly ServerHealth[];
  close(options?: { readonly hurried?: boolean }): Promise<void>;
}

function openAnswerer(
  workspace: Workspace,
  definitions: readonly ServerDefinition[],
  settings: BridgeSettings,
  config: Config,
): OpenAnswerer {
  const { log, environment = process.env } = settings;
  const backend = settings.openBackend?.(workspace) ?? settings.backend;
  if (backend) {
    const whole = combineBackends([backend], workspace.roots);
    return { backend: whole, warnings: [], health: () => [], close: (options) => whole.close(options) };
  }
  const opened = openServers(workspace, definitions, settings, config);
  const call = beginCall({ time: config.deadline });
  // A server that fails to start early fails again, and says why, when it is used.
  void opened.backend
    .startEarly(call)
    .catch((error: unknown) => log('warn', 'early_start_failed', { error }))
    .finally(() => call[Symbol.dispose]());
  const { backend: standby, repositories } = openIndex(workspace, config, environment);
  return {
    backend: combineBackends([opened.backend, standby], workspace.roots),
    repositories,
    get warnings() {
      return opened.warnings;
    },
    health: opened.health,
    close: (options) => Promise.all([opened.close(options), standby.close()]).then(() => {}),
  };
}
