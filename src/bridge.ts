import { MemoryBudget } from './backends/lsp/process/memory-budget.ts';
import { SharedRoom } from './backends/lsp/routing/router.ts';
import type { BridgeSettings } from './bridge-settings.ts';
import type { Config } from './config/config.ts';
import type { ServerHealth } from './core/backend.ts';
import { CallsInProgress } from './core/runtime/calls-in-progress.ts';
import type { CallFate } from './edits/leftovers.ts';
import { openConfig } from './effective-config.ts';
import { type CallOptions, type OpenRoot, openRoot } from './open-root.ts';
import type { HostApi } from './tools/host/host-api.ts';
import type { McpResources } from './tools/host/resources.ts';
import { fail } from './tools/run/render-error.ts';
import type { Neighbour, Outcome } from './tools/run/tool.ts';
import { noWorkspace } from './workspace/no-workspace.ts';
import { WorktreeRoots } from './worktree-roots.ts';

export type { CallFate } from './edits/leftovers.ts';
export type { CallOptions } from './open-root.ts';
export type { TraceEntry } from './open-servers.ts';

/** Everything behind the frontends. */
export interface Bridge {
  readonly config: Config;
  /** Never rejects: an error is an outcome with `isError`. */
  call(tool: string, args: unknown, options?: CallOptions): Promise<Outcome>;
  /** Returns what became of a call with an id whose answer was lost; absent without a workspace. */
  fateOf?(call: string): Promise<CallFate>;
  /** MCP resources; absent without a workspace. */
  readonly resources?: McpResources | undefined;
  /** The API for programs that embed lspan; absent without a workspace. */
  readonly hostApi?: HostApi | undefined;
  /** Forgets the cursors and plans of a caller who has gone; absent without a workspace. */
  forget?(scope: string): void;
  /** Returns the health of the servers that were used so far, as known already; absent without a workspace. */
  health?(): readonly ServerHealth[];
  /** Returns the state of the servers, by root; absent without a workspace. */
  serversByRoot?(): Promise<readonly RootServers[]>;
  /** The calls in progress, of tools and of what is asked beside them. */
  readonly calls: Pick<CallsInProgress, 'idle'>;
  close(options?: { readonly hurried?: boolean }): Promise<void>;
}

/** The composition root: opens the workspace, and other worktrees of its repository when a call names a path in one. */
export async function openBridge(settings: BridgeSettings): Promise<Bridge> {
  // Without a workspace nothing is watched or indexed, and every call says what to do.
  if (settings.roots.length === 0)
    return {
      config: await openConfig(settings),
      calls: new CallsInProgress(),
      call: async () => fail(noWorkspace()),
      close: async () => {},
    };
  // A given backend answers for one workspace.
  if (settings.backend || settings.openBackend) return openRoot(settings);
  const { memoryBudget = new MemoryBudget() } = settings;
  const shared = { ...settings, sharedRoom: new SharedRoom(), memoryBudget };
  const others = new WorktreeRoots(shared);
  const main = await openRoot({ ...shared, neighbours: () => others.neighbours() });
  return {
    config: main.config,
    fateOf: (call) => main.fateOf(call),
    resources: others.resourcesWith(main),
    hostApi: others.hostApiWith(main),
    forget: (scope) => {
      for (const root of [main, ...others.opened]) root.forget(scope);
    },
    serversByRoot: () => serversByRoot(main, others),
    health: () => [main, ...others.opened].flatMap((root) => root.health()),
    calls: { idle: () => Promise.all([others.calls.idle(), main.calls.idle()]).then(() => {}) },
    call: (tool, args, options) => others.call(main, tool, args, options),
    close: async (options) => {
      await Promise.all([others.close(options), main.close(options)]);
    },
  };
}

/** The servers of one root. */
type RootServers = Omit<Neighbour, 'control'>;

async function serversByRoot(main: OpenRoot, others: WorktreeRoots): Promise<readonly RootServers[]> {
  const [own, besides] = await Promise.all([main.servers.status(), others.neighbours()]);
  return [
    ...main.roots.map((root) => ({ root, servers: own.filter((one) => one.root === root) })),
    ...besides,
  ];
}
