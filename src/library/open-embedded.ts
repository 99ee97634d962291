import { type Bridge, openBridge } from '../bridge.ts';
import type { BridgeSettings } from '../bridge-settings.ts';
import type { OutputMode } from '../config/config.ts';
import { hasIndexes } from '../config/index-place.ts';
import {
  checkArguments,
  checkHeld,
  checkKinds,
  checkListener,
  having,
  kinds,
  oneOf,
} from '../core/check-arguments.ts';
import { LspanError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { CancelSignal } from '../core/runtime/cancellation.ts';
import { errorForLibrary } from '../core/wording/api-words.ts';
import type { McpTransport } from '../frontends/mcp/mcp-transport.ts';
import { makeOffer, type Offer, toolsetsOf } from '../frontends/mcp/offer.ts';
import { registerOfClients } from '../frontends/mcp/take-call.ts';
import { catalogue } from '../surfaces/catalogue.ts';
import type { HostApi, HostServer, KnownProblems } from '../tools/host/host-api.ts';
import { requireHostApi } from '../tools/host/open-host-api.ts';
import { BridgeLife } from './bridge-life.ts';
import type {
  AskOptions,
  CheckOptions,
  EmbeddedBridge,
  FileDiagnostics,
  ServeOptions,
  ToolAnswer,
  ToolArgs,
  ToolData,
  ToolDescription,
  ToolName,
} from './embedded-bridge.ts';

/** Opens a bridge that is embedded in a program. */
export async function openEmbedded(settings: BridgeSettings): Promise<EmbeddedBridge> {
  const bridge = await openBridge(settings).catch(rethrow);
  return new OpenEmbedded(bridge, settings);
}

class OpenEmbedded implements EmbeddedBridge {
  readonly tools: readonly ToolDescription[];
  readonly #bridge: Bridge;
  readonly #hostApi: HostApi;
  readonly #clients: ServedClients;
  readonly #life = new BridgeLife();

  constructor(bridge: Bridge, { log }: Pick<BridgeSettings, 'log'>) {
    this.#bridge = bridge;
    this.#hostApi = requireHostApi(bridge.hostApi);
    this.#clients = new ServedClients(bridge, this.#life, log);
    this.tools = toolsOf(bridge.config);
  }

  call<N extends string>(
    name: string extends N ? N : never,
    args: Readonly<Record<string, unknown>>,
    options?: AskOptions,
  ): Promise<ToolAnswer<Readonly<Record<string, unknown>>>>;
  call<N extends ToolName>(
    name: N,
    args: ToolArgs<N>,
    options?: AskOptions,
  ): Promise<ToolAnswer<ToolData<N>>>;
  async call(name: string, args: unknown, options?: AskOptions): Promise<ToolAnswer<object>> {
    const outcome = await this.#run(options, (asked) => this.#bridge.call(name, args, asked));
    const { text, data, isError, doubts = [], error } = outcome;
    if (isError) throw errorForLibrary(error ?? data);
    return { text, data, doubts };
  }

  async serve(transport: McpTransport, options: ServeOptions = {}): Promise<void> {
    await this.#clients.serve(transport, options);
  }

  diagnostics(file: string, options?: CheckOptions): Promise<FileDiagnostics>;
  diagnostics(options?: AskOptions): Promise<KnownProblems>;
  async diagnostics(
    asked?: string | AskOptions,
    options?: CheckOptions,
  ): Promise<FileDiagnostics | KnownProblems> {
    if (typeof asked === 'string') return this.#check(asked, options);
    return this.#run(asked, (call) => this.#hostApi.problems(call));
  }

  onDiagnostics(listener: (file?: string) => void): () => void {
    this.#life.ensureOpen();
    checkListener(listener);
    const unsubscribe = this.#hostApi.onProblems(deferred(listener));
    const removeListener = this.#life.onClose(unsubscribe);
    return () => {
      removeListener();
      unsubscribe();
    };
  }

  hold(file: string, text: string | null): void {
    this.#life.ensureOpen();
    checkHeld(file, text);
    this.#hostApi.hold(file, text);
  }

  status(options?: AskOptions): Promise<readonly HostServer[]> {
    return this.#run(options, (call) => this.#hostApi.servers(call));
  }

  close(): Promise<void> {
    return this.#life.close(() => this.#bridge.close());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #check(file: string, options: CheckOptions = {}): Promise<FileDiagnostics> {
    checkKinds('diagnostics', options, checkRows);
    const found = await this.#run(options, (call) => this.#hostApi.check(file, options.text, call));
    const { problems: diagnostics, doubts } = found;
    return { file: found.file, diagnostics, complete: doubts.length === 0, doubts };
  }

  async #run<T>(options: AskOptions = {}, ask: (call: Asked) => Promise<T>): Promise<T> {
    checkKinds('The options of a question', options, askRows);
    const { signal: asked, onProgress = () => {} } = options;
    return this.#life.run(asked, (signal) => ask({ signal, report: deferred(onProgress) })).catch(rethrow);
  }
}

const askRows = { signal: kinds.signal, onProgress: kinds.listener };

const checkRows = { ...askRows, text: kinds.content };

interface Asked {
  readonly signal: CancelSignal;
  readonly report: (message: string) => void;
}

function rethrow(thrown: unknown): never {
  throw errorForLibrary(thrown);
}

/** Returns the tools that may be called, without those that a read-only bridge would refuse. */
function toolsOf({ readOnly }: Bridge['config']): readonly ToolDescription[] {
  const all = catalogue.find((surface) => surface.name === 'lspan')?.tools ?? [];
  const offered = all.filter(({ effects }) => !readOnly || effects !== 'files');
  // A copy, since programs adapt the schemas to their models.
  return structuredClone(offered).map(({ name, title, description, inputSchema, outputSchema, effects }) => ({
    name,
    title,
    description,
    inputSchema,
    outputSchema,
    effects,
  }));
}

/** Calls the program's listener in a microtask, so that an error in it does not end our own work. */
function deferred<A extends readonly unknown[]>(listener: (...args: A) => void): (...args: A) => void {
  return (...args) => queueMicrotask(() => listener(...args));
}

/** The MCP clients that an embedded bridge serves; they are disconnected when it closes. */
export class ServedClients {
  readonly #bridge: Bridge;
  readonly #life: BridgeLife;
  readonly #log: Log;
  readonly #calls = registerOfClients();

  constructor(bridge: Bridge, life: BridgeLife, log: Log) {
    this.#bridge = bridge;
    this.#life = life;
    this.#log = log;
  }

  async serve(transport: McpTransport, options: ServeOptions): Promise<void> {
    checkTransport(transport);
    checkArguments('serve', options, rows);
    const bridge = this.#bridge;
    const offer = offerOf(options, bridge.config);
    if (served.has(transport)) throw servedAlready();
    served.add(transport);
    await this.#life.run(undefined, async (signal) => {
      const { serveTransport } = await import('../frontends/mcp/stdio/serve-transport.ts');
      const settings = { output: options.output, log: this.#log };
      const context = { offer, bridge, calls: this.#calls };
      const connection = await serveTransport(transport, context, settings).catch(notStarted);
      if (signal.aborted) return connection.close();
      const removeListener = this.#life.onClose(() => connection.close());
      void connection.closed.then(removeListener);
    });
  }
}

/** Serving a transport twice would steal the messages of the first client. */
const served = new WeakSet<McpTransport>();

const rows = {
  surface: kinds.text,
  output: oneOf(Object.keys({ auto: 1, text: 1, structured: 1, both: 1 } satisfies Record<OutputMode, 1>)),
  toolsets: kinds.texts,
};

function checkTransport(transport: McpTransport): void {
  const form = having(['start', 'send', 'close']);
  if (typeof transport === 'object' && form.is(transport)) return;
  throw new LspanError('invalid_input', `serve: The transport must be ${form.said}.`, {
    nextStep: 'Give a transport of the MCP SDK, or an object of the form McpTransport.',
  });
}

function servedAlready(): LspanError {
  return new LspanError('invalid_input', 'serve: This transport is or was served already.', {
    nextStep: 'Give each client its own transport.',
  });
}

/** Wraps an error of the program's transport and keeps it as the cause. */
function notStarted(cause: unknown): never {
  if (cause instanceof LspanError) throw cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  throw new LspanError('refused', `serve: The transport could not be started: ${why}`, {
    cause,
    nextStep: 'Give a transport that is not started yet and not in use.',
  });
}

function offerOf(options: ServeOptions, config: Bridge['config']): Offer {
  const { surface: name = 'lspan', output = config.output, toolsets = config.toolsets } = options;
  const names = catalogue.map((one) => one.name);
  const surface = catalogue.find((one) => one.name === name);
  if (!surface) throw unknownName('surface', name, names);
  const known = toolsetsOf(surface);
  const unknownToolset = toolsets.find((one) => !known.includes(one));
  if (unknownToolset !== undefined) throw unknownName('toolset', unknownToolset, known);
  return makeOffer(surface, {
    toolsets,
    readOnly: config.readOnly,
    output,
    hasIndexes: hasIndexes(config.index, process.env),
  });
}

function unknownName(what: string, name: string, known: readonly string[]): LspanError {
  return new LspanError('invalid_input', `There is no ${what} ${JSON.stringify(name)}.`, {
    nextStep: `Name one of these: ${known.join(', ')}.`,
  });
}
