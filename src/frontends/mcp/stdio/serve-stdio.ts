import type { BridgeSettings } from '../../../bridge-settings.ts';
import { within } from '../../../core/call.ts';
import { limits } from '../../../core/limits.ts';
import type { Log } from '../../../core/log.ts';
import { catalogue } from '../../../surfaces/catalogue.ts';
import type { BridgeOpener } from '../../daemon/client/open-shared.ts';
import { exitCodes, listenForEnd } from '../../process-life.ts';
import { reserveStdout } from '../../stdout.ts';
import { LazyBridge } from '../lazy-bridge.ts';
import { ChangingOffer, makeOffer, type Offer, toolsetsOf } from '../offer.ts';
import { serveStream } from './serve-stream.ts';
import type { StdioTransport } from './stdio-transport.ts';
import { beginConversation, type StreamSettings } from './stream-settings.ts';

/** The settings of `lspan mcp`. */
export interface StdioSettings extends StreamSettings {
  readonly bridge: Omit<BridgeSettings, 'roots'>;
  readonly toolsets?: readonly string[];
  /** True if other repositories may be indexed. */
  readonly hasIndexes?: boolean;
  readonly readOnly?: boolean;
  /** Opens the bridges; in this process by default. */
  readonly opener?: BridgeOpener | undefined;
}

/**
 * Serves MCP on stdin and stdout until the client disconnects, and returns the exit code. Only code for first
 * answers is loaded at once: the bridge after the client has its list or calls, the SDK when it is needed.
 */
export async function serveStdioMcp(settings: StdioSettings): Promise<number> {
  const { log, single } = settings.bridge;
  const output = reserveStdout(log);
  const first = offerOf(settings, catalogue);
  if ('refusal' in first) return refuse(first.refusal);
  const offer = new ChangingOffer(first);
  const { ended, end, fail } = listenForEnd(log);
  // The next call tries again, and its error says what is wrong.
  const tellLater = (error: unknown) => log('error', 'bridge.not_opened', { error: String(error) });
  const bridge = new LazyBridge(settings.bridge, settings.opener);
  const wire = serveStream({ input: process.stdin, output }, { offer, bridge, fail }, settings);
  bridge.onCatalogue((surfaces) => {
    const next = offerOf(settings, surfaces);
    if (!('refusal' in next) && offer.change(next)) wire.send(toolsChanged).catch(fail);
  });
  wire.closed.then(() => end('client_gone'));
  await wire.start();
  // After the first read of stdin: a request that is already there is answered before anything is loaded.
  if (single) setImmediate(() => bridge.open(async () => settings.roots).catch(tellLater));
  if (settings.afterEdit && settings.roots.length > 0)
    setImmediate(() => expectEdits(bridge, settings.roots).catch(tellLater));
  const ending = await ended;
  log('info', 'mcp.leaving', { ending });
  await wire.close();
  await leave(wire, bridge, log);
  return exitCodes[ending];
}

/** Clients of the 2026 revision send nothing between the handshake and the first call after an edit. */
async function expectEdits(bridge: LazyBridge, roots: readonly string[]): Promise<void> {
  // The client may name others.
  await beginConversation(await bridge.openUnasked(roots));
}

const toolsChanged = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' } as const;

function offerOf(
  { bridge, toolsets = [], readOnly = false, output = 'auto', hasIndexes = false, opener }: StdioSettings,
  surfaces: typeof catalogue,
): Offer | Refusal {
  const surface = surfaces.find(({ name }) => name === bridge.surface);
  if (!surface)
    return unknown(
      'surface',
      bridge.surface,
      surfaces.map(({ name }) => name),
    );
  const known = toolsetsOf(surface);
  const stranger = toolsets.find((name) => !known.includes(name));
  if (stranger !== undefined) return unknown('toolset', stranger, known);
  const mayChange = opener?.mayChange === true;
  return makeOffer(surface, { toolsets, readOnly, output, mayChange, hasIndexes });
}

interface Refusal {
  readonly refusal: string;
}

function unknown(what: string, name: string, known: readonly string[]): Refusal {
  return { refusal: `Unknown ${what} "${name}". Known: ${known.join(', ')}.` };
}

function refuse(refusal: string): number {
  process.stderr.write(`lspan: ${refusal}\n`);
  return exitCodes.usage;
}

/** Stops the bridge and flushes the last answers, both with a time limit. */
async function leave(wire: StdioTransport, bridge: LazyBridge, log: Log): Promise<void> {
  const stopped = bridge
    .close()
    .catch((error) => log('error', 'bridge.close_failed', { error: String(error) }));
  await Promise.all([within(stopped, limits.leaving), within(wire.drained(), limits.stop.hurried)]);
}
