import { FileRules } from './backends/lsp/file-rules.ts';
import { findProgram } from './backends/lsp/find-program.ts';
import { languageOf } from './backends/lsp/language-of.ts';
import { LspBackend } from './backends/lsp/lsp-backend.ts';
import { MemoryWatch } from './backends/lsp/memory-watch.ts';
import { projectFacts } from './backends/lsp/project-facts.ts';
import { Router } from './backends/lsp/router.ts';
import type { ServerDefinition } from './backends/lsp/server-definition.ts';
import { ServerSlot, type StartSession } from './backends/lsp/server-slot.ts';
import { programOf, type Surroundings, startSession } from './backends/lsp/start-session.ts';
import type { Config } from './config/config.ts';
import type { TrustOffer } from './config/grant-trust.ts';
import { loadConfig } from './config/load-config.ts';
import { mergeDefinitions } from './config/merge-definitions.ts';
import { type ServerView, serverViews } from './config/server-views.ts';
import { singleDefinition } from './config/single-definition.ts';
import { concernsTrust, StandingTrust } from './config/standing-trust.ts';
import { stateFolder } from './config/state-folder.ts';
import { trustOffer } from './config/trust-offer.ts';
import { withKnownNames } from './config/unknown-names.ts';
import type { Environment } from './config/user-file.ts';
import { beginCall } from './core/call.ts';
import { LspanError } from './core/errors.ts';
import { finding } from './core/finding.ts';
import type { Log } from './core/log.ts';
import { untrusted } from './core/trust.ts';
import { Leftovers } from './edits/leftovers.ts';
import { openEdits } from './edits/open-edits.ts';
import type { Edit } from './edits/plan.ts';
import { TemporaryFolder } from './platform/private-folder.ts';
import { processTree } from './platform/process-tree.ts';
import { servers } from './servers/index.ts';
import { findTool, surfaceNamed } from './surfaces/find-tool.ts';
import { surfaces } from './surfaces/index.ts';
import { newMemories } from './tools/memories.ts';
import { fail, type Outcome } from './tools/run-tool.ts';
import type { World } from './tools/tool.ts';
import { version } from './version.ts';
import { fingerprint, matching } from './workspace/fingerprint.ts';
import { listTree } from './workspace/list-tree.ts';
import { noWorkspace } from './workspace/no-workspace.ts';
import { openWorkspace } from './workspace/open-workspace.ts';
import type { Workspace } from './workspace/workspace.ts';

/** One message on the wire between us and a language server. */
export interface TraceEntry {
  readonly server: string;
  readonly direction: 'to_server' | 'from_server';
  readonly message: unknown;
}

/** What a frontend decides before anything starts. */
export interface BridgeSettings {
  /** Folders as given; none means that no workspace is known, and every call says so. */
  readonly roots: readonly string[];
  readonly surface: string;
  /** The user's configuration file, instead of the one in the usual place. */
  readonly configFile?: string;
  /** What the command line sets over the configuration. */
  readonly overrides?: Partial<Config>;
  /** The one server of the `-s` form; no other is used, and it starts at once. */
  readonly single?: { readonly extensions: readonly string[]; readonly command: readonly string[] };
  readonly log: Log;
  /** The variables of the process when absent. */
  readonly environment?: Environment;
  readonly trace?: (entry: TraceEntry) => void;
}

/** Everything behind the frontends. */
export interface Bridge {
  readonly config: Config;
  /** Never rejects: an error is an outcome with `isError`. */
  call(
    tool: string,
    args: unknown,
    options?: {
      readonly signal?: AbortSignal;
      readonly report?: (message: string) => void;
      /** What the model will be shown, which `max_tokens` then counts; the text when absent. */
      readonly shown?: 'text' | 'data';
    },
  ): Promise<Outcome>;
  close(options?: { readonly hurried?: boolean }): Promise<void>;
}

/** The composition root: makes the world from the settings. Starts no server unless the settings ask for it. */
export async function openBridge(settings: BridgeSettings): Promise<Bridge> {
  const { roots, single, log } = settings;
  const config = configOf(settings);
  const definitions = single ? [singleDefinition(single)] : mergeDefinitions(servers, config);
  const surface = surfaceNamed(settings.surface);
  // Nothing is watched or indexed where no workspace is known: every call says what to do.
  if (roots.length === 0) return { config, call: async () => fail(noWorkspace()), close: async () => {} };
  const workspace = await openWorkspace({
    roots,
    log,
    exclude: config.exclude,
    largestDocument: config.limits.document,
  });
  const { world, backend, close, leftovers } = openWorld(workspace, definitions, settings, config);
  startEarly(backend, config, log);
  return {
    config,
    close,
    call: async (name, args, options = {}) => {
      const tool = findTool(surface, name, config.readOnly);
      if (tool instanceof LspanError) return fail(tool);
      const { report = () => {}, signal = new AbortController().signal, shown = 'text' } = options;
      const { maxTokens, deadlines } = config;
      const deadline = deadlines[name] ?? config.deadline;
      if (!config.readOnly) await leftovers.end(config.deadline);
      return tool.run(world, args, { deadline, maxTokens, shown, report, log, signal });
    },
  };
}

/** What tools see of a workspace and its servers. */
export function openWorld(
  workspace: Workspace,
  definitions: readonly ServerDefinition[],
  settings: Pick<BridgeSettings, 'log' | 'trace' | 'environment' | 'single'>,
  config: Config,
) {
  const { log, trace, environment = process.env } = settings;
  const tree = processTree();
  const trust = openTrust(workspace, definitions, environment, log);
  const listeners = new Set<(path: string) => void>();
  const surroundings: Surroundings = {
    workspace,
    tree,
    environment,
    version,
    memory: new MemoryWatch(),
    memoryMost: config.limits.memory,
    trusts: (root, definition) => trust.of(root, definition),
    log,
    patience: config.limits,
    ...(trace ? { trace: (server, direction, message) => trace({ server, direction, message }) } : {}),
    onProblems: (path) => listeners.forEach((listener) => void listener(path)),
    findSlot: (server, root) => router.named(server, root),
  };
  const router: Router = new Router({
    definitions,
    workspace,
    trusts: surroundings.trusts,
    room: config.limits.running,
    rules: new FileRules(settings.single ? [] : config.files),
    find: (definition) => finding(() => programOf(definition, surroundings)),
    open: (definition, root) => {
      const start: StartSession = async (slot, signal) => {
        await router.makeRoom(slot);
        trust.afresh(root, definition);
        return startSession(definition, root, surroundings, (process) => slot.source.adopt(process), signal);
      };
      return new ServerSlot(definition, root, start, log, config.limits.idle);
    },
  });
  const thrift = { ...config.thrift, answers: config.limits.answers };
  const backend = new LspBackend(workspace, router, listeners, undefined, thrift);
  const edits = openEdits({ grounds: workspace, folder: stateFolder(environment), log });
  const leftovers = new Leftovers(edits, log);
  const world: World = {
    workspace,
    backend,
    edits,
    ...newMemories(),
    page: config.limits.page,
    get notices() {
      return [...config.warnings, ...trust.warnings, ...leftovers.told];
    },
  };
  const close = async (options: { readonly hurried?: boolean } = {}) => {
    await backend.close(options);
    tree.close();
    await workspace.close();
  };
  return { world, backend, close, leftovers };
}

/** Hears of changes before the backend does, so that a trust that has ended counts for the question that follows. */
function openTrust(
  workspace: Workspace,
  definitions: readonly ServerDefinition[],
  environment: Environment,
  log: Log,
): StandingTrust {
  const { roots } = workspace;
  const fingerprint = (root: string, globs: readonly string[]) => workspace.fingerprint(root, globs);
  const trust = new StandingTrust({ environment, roots, fingerprint, matching, log });
  workspace.watchAlso(definitions.flatMap(({ trustBinds }) => trustBinds ?? []));
  workspace.onChanges((changes) => trust.note(changes));
  return trust;
}

/** What the user would allow by trusting a folder as it is now: by the servers that its files are for. */
export function offerTrust(
  settings: Omit<BridgeSettings, 'surface' | 'roots'> & { readonly root: string },
): TrustOffer {
  const { root, environment = process.env } = settings;
  const concerned = mergeDefinitions(servers, configOf({ ...settings, roots: [root] })).filter(concernsTrust);
  // What would be allowed depends on which files there are, not on what they say.
  const facts = projectFacts(root, environment, untrusted, new TemporaryFolder(), () => undefined);
  const serves = (definition: ServerDefinition, file: string) => languageOf(file, definition) !== undefined;
  return trustOffer(concerned, facts, { files: listTree(root).files, serves, fingerprint });
}

function configOf({
  roots,
  log,
  configFile,
  overrides,
  environment = process.env,
}: Omit<BridgeSettings, 'surface'>) {
  const config = { ...loadConfig({ configFile, roots, environment, log }), ...overrides };
  const tools = surfaces.flatMap((surface) => surface.tools.map(({ name }) => name));
  return withKnownNames(config, { servers: servers.map(({ id }) => id), tools }, log);
}

/** What was carried out on a workspace and can be taken back, the latest first. */
export async function listEdits(settings: Omit<BridgeSettings, 'surface'>): Promise<readonly Edit[]> {
  const { roots, log, environment = process.env } = settings;
  if (roots.length === 0) throw noWorkspace();
  const workspace = await openWorkspace({ roots, log });
  const edits = openEdits({ grounds: workspace, folder: stateFolder(environment), log }).history();
  return workspace.close().then(() => edits);
}

/** What the configuration makes of everything, without opening or starting anything. */
export function inspectConfig(settings: Omit<BridgeSettings, 'surface'>): {
  readonly config: Config;
  readonly servers: readonly ServerView[];
} {
  const { roots, environment = process.env } = settings;
  const config = configOf(settings);
  const find = ({ id, install, program }: ServerDefinition) =>
    finding(() => findProgram(program, { server: id, install, roots, environment }));
  return { config, servers: serverViews(servers, config, find) };
}

/** A server that fails to start early fails again, and says why, when it is asked. */
function startEarly(backend: LspBackend, config: Config, log: Log): void {
  const call = beginCall({ time: config.deadline });
  const failed = (error: unknown) => log('warn', 'early_start_failed', { error });
  void backend
    .startEarly(call)
    .catch(failed)
    .finally(() => call[Symbol.dispose]());
}
