import type { Bridge } from '../bridge.ts';
import type { OutputMode } from '../config/config.ts';
import { checkArguments, having, kinds, oneOf } from '../core/check-arguments.ts';
import { LspanError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { CallsInFlight } from '../frontends/mcp/calls-in-progress.ts';
import type { McpTransport } from '../frontends/mcp/mcp-transport.ts';
import { makeOffer, type Offer, toolsetsOf } from '../frontends/mcp/offer.ts';
import { catalogue } from '../surfaces/catalogue.ts';
import type { BridgeLife } from './bridge-life.ts';
import type { ServeOptions } from './embedded-bridge.ts';

/** The MCP clients that a program has served by its bridge, which go when the bridge does. */
export class ServedClients {
  readonly #bridge: Bridge;
  readonly #life: BridgeLife;
  readonly #log: Log;
  readonly #calls = new CallsInFlight();

  constructor(bridge: Bridge, life: BridgeLife, log: Log) {
    this.#bridge = bridge;
    this.#life = life;
    this.#log = log;
  }

  /** Resolves when the transport has started. */
  async serve(transport: McpTransport, options: ServeOptions): Promise<void> {
    checkTransport(transport);
    checkArguments('serve', options, rows);
    const bridge = this.#bridge;
    const offer = offerOf(options, bridge.config);
    if (served.has(transport)) throw servedAlready();
    served.add(transport);
    await this.#life.during(undefined, async (signal) => {
      const { serveTransport } = await import('../frontends/mcp/stdio/serve-transport.ts');
      const manner = { output: options.output, log: this.#log };
      const parts = { offer, bridge, calls: this.#calls };
      const connection = await serveTransport(transport, parts, manner).catch(notStarted);
      // The bridge may have been closed meanwhile.
      if (signal.aborted) return connection.close();
      const forget = this.#life.atEnd(() => connection.close());
      void connection.closed.then(forget);
    });
  }
}

/** A second who served on a transport would take the messages of the first. */
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
    nextStep: 'Give each client a transport of its own.',
  });
}

/** What the transport of a program throws is its own, and is kept as the cause. */
function notStarted(cause: unknown): never {
  if (cause instanceof LspanError) throw cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  throw new LspanError('refused', `serve: The transport could not be started: ${why}`, {
    cause,
    nextStep: 'Give a transport that is not started yet, and that nobody else uses.',
  });
}

function offerOf(options: ServeOptions, config: Bridge['config']): Offer {
  const { surface: name = 'lspan', output = config.output, toolsets = config.toolsets } = options;
  const names = catalogue.map((one) => one.name);
  const surface = catalogue.find((one) => one.name === name);
  if (!surface) throw unknown('surface', name, names);
  const known = toolsetsOf(surface);
  const stranger = toolsets.find((one) => !known.includes(one));
  if (stranger !== undefined) throw unknown('toolset', stranger, known);
  return makeOffer(surface, { toolsets, readOnly: config.readOnly, output });
}

function unknown(what: string, name: string, known: readonly string[]): LspanError {
  return new LspanError('invalid_input', `There is no ${what} ${JSON.stringify(name)}.`, {
    nextStep: `Name one of these: ${known.join(', ')}.`,
  });
}
