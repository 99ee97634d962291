import type { Bridge } from '../bridge.ts';
import type { OutputMode } from '../config/config.ts';
import { checkArguments, having, kinds, oneOf } from '../core/check-arguments.ts';
import { LspanError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { McpTransport } from '../frontends/mcp/mcp-transport.ts';
import { makeOffer, type Offer, toolsetsOf } from '../frontends/mcp/offer.ts';
import { registerOfClients } from '../frontends/mcp/take-call.ts';
import { catalogue } from '../surfaces/catalogue.ts';
import type { BridgeLife } from './bridge-life.ts';
import type { ServeOptions } from './embedded-bridge.ts';

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
    nextStep: 'Give each client a transport of its own.',
  });
}

/** Wraps an error of the program's transport and keeps it as the cause. */
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
  if (!surface) throw unknownName('surface', name, names);
  const known = toolsetsOf(surface);
  const unknownToolset = toolsets.find((one) => !known.includes(one));
  if (unknownToolset !== undefined) throw unknownName('toolset', unknownToolset, known);
  return makeOffer(surface, { toolsets, readOnly: config.readOnly, output });
}

function unknownName(what: string, name: string, known: readonly string[]): LspanError {
  return new LspanError('invalid_input', `There is no ${what} ${JSON.stringify(name)}.`, {
    nextStep: `Name one of these: ${known.join(', ')}.`,
  });
}
