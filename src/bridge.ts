import { LspBackend } from './backends/lsp/lsp-backend.ts';
import { Router } from './backends/lsp/router.ts';
import type { ServerDefinition } from './backends/lsp/server-definition.ts';
import { ServerSlot, type StartSession } from './backends/lsp/server-slot.ts';
import { programOf, type Surroundings, startSession } from './backends/lsp/start-session.ts';
import type { Config } from './config/config.ts';
import { loadConfig } from './config/load-config.ts';
import { mergeDefinitions } from './config/merge-definitions.ts';
import { singleDefinition } from './config/single-definition.ts';
import { beginCall } from './core/call.ts';
import { asLspanError, LspanError } from './core/errors.ts';
import type { Log } from './core/log.ts';
import { untrusted } from './core/trust.ts';
import { processTree } from './platform/process-tree.ts';
import { servers } from './servers/index.ts';
import { surfaces } from './surfaces/index.ts';
import type { Surface } from './surfaces/surface.ts';
import { Outlines } from './tools/outlines.ts';
import { fail, type Outcome } from './tools/run-tool.ts';
import type { World } from './tools/tool.ts';
import { version } from './version.ts';
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
  const { roots, log, configFile, overrides, single } = settings;
  const config = { ...loadConfig({ configFile, roots, environment: process.env, log }), ...overrides };
  const definitions = single ? [singleDefinition(single)] : mergeDefinitions(servers, config);
  const surface = surfaceNamed(settings.surface);
  if (roots.length === 0) return withoutWorkspace(config);
  const workspace = await openWorkspace({ roots, log, exclude: config.exclude });
  const { world, backend, close } = openWorld(workspace, definitions, settings, config);
  startEarly(backend, config, log);
  return {
    config,
    close,
    call: async (name, args, options = {}) => {
      const tool = surface.tools.find((one) => one.name === name);
      if (!tool) return fail(unknownTool(name, surface));
      if (config.readOnly && tool.effects === 'files') return fail(readOnly(name));
      const { report = () => {}, signal = new AbortController().signal, shown = 'text' } = options;
      const { deadline, maxTokens } = config;
      return tool.run(world, args, { deadline, maxTokens, shown, report, log, signal });
    },
  };
}

function openWorld(
  workspace: Workspace,
  definitions: readonly ServerDefinition[],
  settings: BridgeSettings,
  config: Config,
) {
  const { log, trace } = settings;
  const tree = processTree();
  const listeners = new Set<(path: string) => void>();
  const surroundings: Surroundings = {
    workspace,
    tree,
    environment: process.env,
    version,
    trusts: () => untrusted,
    log,
    ...(trace ? { trace: (server, direction, message) => trace({ server, direction, message }) } : {}),
    onProblems: (path) => {
      for (const listener of listeners) listener(path);
    },
  };
  const router: Router = new Router({
    definitions,
    workspace,
    trusts: surroundings.trusts,
    room: config.limits.running,
    find: (definition) => finding(() => programOf(definition, surroundings)),
    open: (definition, root) => {
      const start: StartSession = async (slot, signal) => {
        await router.makeRoom(slot);
        return startSession(definition, root, surroundings, signal);
      };
      return new ServerSlot(definition, root, start, log, config.limits.idle);
    },
  });
  const backend = new LspBackend(workspace, router, listeners);
  const world: World = { workspace, backend, outlines: new Outlines(), notices: config.warnings };
  const close = async (options: { readonly hurried?: boolean } = {}) => {
    await backend.close(options);
    tree.close();
    await workspace.close();
  };
  return { world, backend, close };
}

/** A server that fails to start early fails again, and says why, when it is asked. */
function startEarly(backend: LspBackend, config: Config, log: Log): void {
  const call = beginCall({ time: config.deadline });
  const failed = (error: unknown) => log('warn', 'early_start_failed', { error });
  backend
    .startEarly(call)
    .then(() => {}, failed)
    .finally(() => call[Symbol.dispose]());
}

/** What was found, or why not, as a value. */
function finding<T>(find: () => T): T | LspanError {
  try {
    return find();
  } catch (error) {
    return asLspanError(error);
  }
}

function surfaceNamed(name: string): Surface {
  const surface = surfaces.find((one) => one.name === name);
  if (surface) return surface;
  const known = surfaces.map((one) => one.name).join(', ');
  throw new LspanError('invalid_input', `There is no surface ${JSON.stringify(name)}.`, {
    nextStep: `The surfaces are: ${known}.`,
  });
}

function unknownTool(name: string, { tools }: Surface): LspanError {
  return new LspanError('invalid_input', `There is no tool ${JSON.stringify(name)}.`, {
    nextStep: `The tools are: ${tools.map((tool) => tool.name).join(', ')}.`,
  });
}

function readOnly(name: string): LspanError {
  return new LspanError('refused', `${name} changes files, and lspan was started read-only.`, {
    nextStep: 'Start lspan without --read-only to allow changes.',
  });
}

/** Nothing is watched or indexed where no workspace is known: every call says what to do. */
function withoutWorkspace(config: Config): Bridge {
  const error = new LspanError(
    'outside_workspace',
    'No workspace is known: lspan was started outside any project.',
    {
      nextStep: 'Start lspan with `--workspace DIR`, or in a project folder.',
    },
  );
  return { config, call: async () => fail(error), close: async () => {} };
}
