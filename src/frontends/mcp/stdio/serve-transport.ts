import type { JSONRPCMessage, Server, Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Bridge } from '../../../bridge.ts';
import type { Log } from '../../../core/log.ts';
import type { CallsInProgress } from '../../../core/runtime/calls-in-progress.ts';
import { makeFastPath } from '../fast-path/fast-path.ts';
import { SdkDeferral } from '../fast-path/sdk-deferral.ts';
import type { McpTransport } from '../mcp-transport.ts';
import type { Offer } from '../offer.ts';
import type { OutputMode } from '../output-mode.ts';
import { isMessage } from '../parse-message.ts';
import { lspanServer, tellUpdated } from '../sdk/lspan-server.ts';
import { Subscriptions } from '../subscriptions.ts';
import { ToldDoubts } from '../told-doubts.ts';

/** The offer and bridge that are served on a transport. */
export interface Served {
  readonly offer: Offer;
  readonly bridge: Bridge;
  /** The calls of all clients of the bridge. */
  readonly calls: CallsInProgress;
}

/** The connection of a client. */
export interface TransportConnection {
  /** Resolves when the connection has ended, from either side. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Serves MCP on a caller's transport, from an open bridge, for either era. Resolves once it has started. */
export async function serveTransport(
  given: McpTransport,
  { offer, bridge, calls }: Served,
  { output, log }: { readonly output: OutputMode | undefined; readonly log: Log },
): Promise<TransportConnection> {
  const wire = new GivenTransport(given);
  const open = async () => bridge;
  const told = new ToldDoubts();
  let present: Server | undefined;
  const subscriptions = new Subscriptions(open, (uri) => present && tellUpdated(present, uri, log));
  subscriptions.follow(bridge.resources);
  const transport = new SdkDeferral(wire, {
    fastPath: makeFastPath(offer, { knowsFiles: () => true }),
    callSdk: () => {},
    overhear: (message) => (offer.resourceTemplates.length > 0 ? subscriptions.overhear(message) : undefined),
  });
  const make = () => {
    const parts = { bridge: { calls, present: bridge }, open, subscriptions };
    const server = lspanServer(offer, parts, { output, log, told });
    present = server;
    return server;
  };
  const onerror = (error: Error) => log('warn', 'mcp.error', { error: error.message });
  const handle = serveStdio(make, { transport, onerror });
  const closed = wire.closed.then(() => subscriptions.close());
  await wire.start().catch((thrown: unknown) => {
    subscriptions.close();
    throw thrown;
  });
  return { closed, close: () => handle.close() };
}

/** Adapts a transport of the caller to the SDK. A value that is not a message is not passed on. */
export class GivenTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Resolves when it has closed, from either side. */
  readonly closed: Promise<void>;
  readonly #given: McpTransport;
  #closing: Promise<void> | undefined;

  constructor(given: McpTransport) {
    this.#given = given;
    const { onclose, onerror } = given;
    this.closed = new Promise((resolve) => {
      given.onclose = () => {
        resolve();
        onclose?.call(given);
        this.onclose?.();
      };
    });
    given.onerror = (error) => {
      onerror?.call(given, error);
      this.onerror?.(error);
    };
    given.onmessage = (message: unknown) => {
      if (isMessage(message)) this.onmessage?.(message);
      else this.onerror?.(new Error('The client sent no valid JSON-RPC 2.0 message.'));
    };
  }

  start(): Promise<void> {
    return this.#given.start();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#given.send(message);
  }

  close(): Promise<void> {
    this.#closing ??= this.#given.close();
    return this.#closing;
  }
}
