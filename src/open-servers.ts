import { serverHealth } from './backends/lsp/control/server-status.ts';
import { LspBackend } from './backends/lsp/lsp-backend.ts';
import { Confinement } from './backends/lsp/process/confinement.ts';
import { MemoryBudget } from './backends/lsp/process/memory-budget.ts';
import { RootWatch } from './backends/lsp/process/root-watch.ts';
import type { ServerProcess } from './backends/lsp/process/server-process.ts';
import { FileRules } from './backends/lsp/routing/file-rules.ts';
import { Router, type SharedRoom } from './backends/lsp/routing/router.ts';
import { ServerSlot, type StartSession } from './backends/lsp/session/server-slot.ts';
import { programOf, type StartContext, startSession } from './backends/lsp/session/start-session.ts';
import type { Config } from './config/config.ts';
import { stateFolder } from './config/state-folder.ts';
import { CurrentTrust } from './config/trust/current-trust.ts';
import type { Environment } from './config/user-file.ts';
import type { ServerHealth } from './core/backend.ts';
import type { Log } from './core/log.ts';
import { resultOrError } from './core/runtime/result.ts';
import { RunFolder } from './platform/files/run-folder.ts';
import { type ProcessTree, processTree } from './platform/processes/process-tree.ts';
import type { ServerDefinition } from './servers/definition.ts';
import { version } from './version.ts';
import { matching } from './workspace/texts/fingerprint.ts';
import type { Workspace } from './workspace/workspace.ts';
import { isSameRepository } from './workspace/worktrees/checkout.ts';

/** One message between lspan and a language server. */
export interface TraceEntry {
  readonly server: string;
  readonly direction: 'to_server' | 'from_server';
  readonly message: unknown;
}

/** How to run language servers. */
export interface ServerSettings {
  readonly log: Log;
  /** Default: the variables of this process. */
  readonly environment?: Environment;
  readonly trace?: (entry: TraceEntry) => void;
  /** Further, read-only folders, whose files may be named and shown; each must exist. */
  readonly additionalRoots?: readonly string[];
  /** Roots of other workspaces, whose content is not run or believed here either. */
  readonly besides?: readonly string[];
  /** Room for servers that other workspaces share. */
  readonly sharedRoom?: SharedRoom;
  /** Memory for servers that other workspaces share. */
  readonly memoryBudget?: MemoryBudget;
  /** Called when a server was stopped because its root was deleted, moved or replaced. */
  readonly onRootLost?: () => void;
  /** The one server of the `-s` form; no other is used, and it starts at once. */
  readonly single?: { readonly extensions: readonly string[]; readonly command: readonly string[] };
}

/** The language servers of a workspace. */
interface Servers {
  readonly backend: LspBackend;
  /** Warnings to the user. */
  readonly warnings: readonly string[];
  health(): readonly ServerHealth[];
  close(options?: { readonly hurried?: boolean }): Promise<void>;
}

/** Prepares the language servers of a workspace. Starts none. */
export function openServers(
  workspace: Workspace,
  definitions: readonly ServerDefinition[],
  settings: ServerSettings,
  config: Config,
): Servers {
  const { log, trace, environment = process.env, besides = [], memoryBudget = new MemoryBudget() } = settings;
  const runFolder = new RunFolder();
  const tree = processTree({ folder: () => runFolder.path });
  const trust = openTrust(workspace, definitions, settings);
  const listeners = new Set<(path: string) => void>();
  const rootWatch = openRootWatch(workspace);
  const confinement = openConfinement(workspace, definitions, settings, config);
  const context: StartContext = {
    workspace,
    tree,
    runFolder,
    environment,
    besides,
    version,
    confinement,
    memory: memoryBudget.watch,
    memoryMost: config.limits.memory,
    trusts: (root, definition) => trust.of(root, definition),
    log,
    timeouts: config.limits,
    ...(trace ? { trace: (server, direction, message) => trace({ server, direction, message }) } : {}),
    onProblems: (path) => listeners.forEach((listener) => void listener(path)),
    findSlot: (server, root) => router.named(server, root),
  };
  const router: Router = new Router({
    definitions,
    workspace,
    trusts: context.trusts,
    room: config.limits.running,
    sharedRoom: settings.sharedRoom,
    memory: { budget: memoryBudget, most: config.limits.memoryOfAll },
    rules: new FileRules(settings.single ? [] : config.files),
    find: (definition) => resultOrError(() => programOf(definition, context)),
    open: (definition, root) => {
      const start: StartSession = async (slot, signal) => {
        await router.makeRoom(slot, signal);
        trust.afresh(root, definition);
        return startSession(definition, root, context, adoptingInto(slot, rootWatch, settings), signal);
      };
      return new ServerSlot(definition, root, start, log, config.limits.idle, () => memoryBudget.wake());
    },
  });
  const cacheOptions = { ...config.cache, answers: config.limits.answers };
  const backend = new LspBackend(workspace, router, listeners, cacheOptions);
  return {
    backend,
    get warnings() {
      return [...trust.warnings, ...(confinement.notice === undefined ? [] : [confinement.notice])];
    },
    health: () => serverHealth(router, memoryBudget.watch),
    close: (options = {}) => backend.close(options).finally(() => endProcesses(tree, runFolder, options)),
  };
}

/** When hurried, does not wait for the watchdog: it sees our pipe close. */
async function endProcesses(
  tree: ProcessTree,
  runFolder: RunFolder,
  { hurried = false }: { readonly hurried?: boolean },
): Promise<void> {
  const ended = tree.close().then(() => runFolder.remove());
  if (!hurried) await ended;
}

/** Registers a process with its slot, which stops it when its root is lost. */
function adoptingInto(slot: ServerSlot, rootWatch: RootWatch, { onRootLost }: ServerSettings) {
  const lost = (reason: string) => {
    slot.onRootLost(reason);
    onRootLost?.();
  };
  return (process: ServerProcess) => {
    slot.supervisor.adopt(process);
    process.exited.then(rootWatch.watch(slot.root, lost));
  };
}

/** Subscribes to changes before the backend does: a server of a folder that is gone is not asked any more. */
function openRootWatch(workspace: Workspace): RootWatch {
  const rootWatch = new RootWatch();
  workspace.onChanges(() => rootWatch.look());
  return rootWatch;
}

/** Subscribes to changes before the backend does, so that lost trust already counts for the next question. */
export function openTrust(
  workspace: Workspace,
  definitions: readonly ServerDefinition[],
  { log, environment = process.env, besides = [] }: ServerSettings,
): CurrentTrust {
  const roots = [...workspace.roots, ...besides];
  const fingerprint = (root: string, globs: readonly string[]) => workspace.fingerprint(root, globs);
  const trust = new CurrentTrust({ environment, roots, fingerprint, matching, isSameRepository, log });
  workspace.watchAlso(definitions.flatMap(({ trust: { boundTo = [] } = {} }) => boundTo));
  workspace.onChanges((changes) => trust.note(changes));
  return trust;
}

function openConfinement(
  { roots }: Workspace,
  definitions: readonly ServerDefinition[],
  { log, additionalRoots = [], environment = process.env }: ServerSettings,
  { confine, userFile }: Config,
): Confinement {
  return new Confinement({
    mode: confine,
    definitions,
    roots,
    environment,
    log,
    reads: additionalRoots,
    hides: [stateFolder(environment), ...(userFile === undefined ? [] : [userFile])],
  });
}
