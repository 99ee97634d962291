import { SharedRoom } from './backends/lsp/routing/router.ts';
import type { BridgeSettings } from './bridge-settings.ts';
import type { Config } from './config/config.ts';
import type { ServerHealth } from './core/backend.ts';
import { CallsInProgress } from './core/runtime/calls-in-progress.ts';
import { effectiveConfig } from './effective-config.ts';
import { type CallOptions, openRoot } from './open-root.ts';
import type { HostApi } from './tools/host/host-api.ts';
import type { McpResources } from './tools/host/resources.ts';
import { fail } from './tools/run/run-tool.ts';
import type { Outcome } from './tools/run/tool.ts';
import { noWorkspace } from './workspace/no-workspace.ts';
import { WorktreeRoots } from './worktree-roots.ts';

export type { TraceEntry } from './open-servers.ts';

/** Everything behind the frontends. */
export interface Bridge {
  readonly config: Config;
  /** Never rejects: an error is an outcome with `isError`. */
  call(tool: string, args: unknown, options?: CallOptions): Promise<Outcome>;
  /** MCP resources; absent without a workspace. */
  readonly resources?: McpResources | undefined;
  /** The API for programs that embed lspan; absent without a workspace. */
  readonly hostApi?: HostApi | undefined;
  /** Returns the health of the servers that were used so far, as known already; absent without a workspace. */
  health?(): readonly ServerHealth[];
  /** The calls in progress, of tools and of what is asked beside them. */
  readonly calls: Pick<CallsInProgress, 'idle'>;
  close(options?: { readonly hurried?: boolean }): Promise<void>;
}

/** The composition root: opens the workspace, and other worktrees of its repository when a call names a path in one. */
export async function openBridge(settings: BridgeSettings): Promise<Bridge> {
  // Without a workspace nothing is watched or indexed, and every call says what to do.
  if (settings.roots.length === 0)
    return {
      config: effectiveConfig(settings),
      calls: new CallsInProgress(),
      call: async () => fail(noWorkspace()),
      close: async () => {},
    };
  // A given backend answers for one workspace.
  if (settings.backend) return openRoot(settings);
  const shared = { ...settings, sharedRoom: new SharedRoom() };
  const others = new WorktreeRoots(shared);
  const main = await openRoot({ ...shared, neighbours: () => others.neighbours() });
  return {
    config: main.config,
    resources: main.resources,
    hostApi: main.hostApi,
    health: () => [main, ...others.opened].flatMap((root) => root.health()),
    calls: { idle: () => Promise.all([others.calls.idle(), main.calls.idle()]).then(() => {}) },
    call: (tool, args, options) => others.call(main, tool, args, options),
    close: async (options) => {
      await Promise.all([others.close(options), main.close(options)]);
    },
  };
}
