import { Socket } from 'node:net';
import type { BridgeSettings } from '../../bridge-settings.ts';
import { within } from '../../core/call.ts';
import { limits } from '../../core/limits.ts';
import { version } from '../../version.ts';
import { LazyBridge } from '../mcp/lazy-bridge.ts';
import type { Offer } from '../mcp/offer.ts';
import { serveStream } from '../mcp/stdio/serve-stream.ts';
import type { StreamSettings } from '../mcp/stdio/stream-settings.ts';
import { escapeControls } from '../observe/log.ts';
import { exitCodes, listenForEnd, type ProcessLife } from '../process-life.ts';
import { type RpcChannel, serveRpc } from '../rpc/serve-rpc.ts';
import { type ProtocolOutput, reserveStdout } from '../stdout.ts';
import { type ChannelName, noStream } from './check-descriptors.ts';
import { openDescriptors } from './open-descriptors.ts';

/** What `lspan host` was started with. */
export interface HostSettings extends StreamSettings {
  readonly bridge: Omit<BridgeSettings, 'roots'>;
  /** What there is over MCP. */
  readonly offer: Offer;
  readonly channels: readonly ChannelName[];
}

/**
 * Serves a program around lspan: RPC on stdin and stdout, MCP on descriptors 3 and 4, one bridge behind both. Gives the
 * exit code. Rejects where the bridge does not open, since a program can correct what it gave.
 */
export async function serveHost(settings: HostSettings): Promise<number> {
  const { bridge: behind, channels, roots } = settings;
  const { log } = behind;
  const output = reserveStdout(log);
  const life = listenForEnd(log);
  const bridge = new LazyBridge(behind);
  const rpc = channels.includes('rpc') ? rpcOnStdio(output, bridge, settings, life) : undefined;
  const mcp = channels.includes('mcp') ? mcpOnDescriptors(bridge, settings, life) : undefined;
  const opened = bridge.open(async () => roots).then(() => 'opened' as const);
  if ((await Promise.race([opened, life.ended])) === 'opened') {
    await mcp?.start();
    rpc?.start();
    rpc?.ready({ version, workspaceRoots: roots });
  }
  const ending = await life.ended;
  log('info', 'host.leaving', { ending });
  await Promise.all([rpc?.close(), mcp?.close()]);
  const stopped = bridge
    .close()
    .catch((error) => log('error', 'bridge.close_failed', { error: String(error) }));
  const drained = Promise.all([rpc?.drained(), mcp?.drained()]);
  await Promise.all([within(stopped, limits.leaving), within(drained, limits.stop.hurried)]);
  return exitCodes[ending];
}

/** The channel of the program itself: its end is the end of lspan. */
function rpcOnStdio(
  output: ProtocolOutput,
  bridge: LazyBridge,
  { roots, bridge: { log } }: HostSettings,
  { end, fail }: ProcessLife,
): RpcChannel {
  // Node gives a stream that ends at once, or swallows all, for what carries none.
  if (!(process.stdin instanceof Socket)) throw noStream(0);
  if (!(process.stdout instanceof Socket)) throw noStream(1);
  const open = () => bridge.open(async () => roots);
  const rpc = serveRpc({ input: process.stdin, output, open, log });
  const hear = async () => {
    const ending = await rpc.ended;
    if (ending.kind === 'fault') tell(ending.reason);
    end(endings[ending.kind]);
  };
  hear().catch(fail);
  return rpc;
}

const endings = { closed: 'client_gone', shutdown: 'shutdown', fault: 'channel_failed' } as const;

/** The channel of the agents. Who wants none says so: where it is lost, somebody waits for answers. */
function mcpOnDescriptors(bridge: LazyBridge, settings: HostSettings, { ended, end, fail }: ProcessLife) {
  const { input, output, lost } = openDescriptors();
  const wire = serveStream({ input, output }, { offer: settings.offer, bridge, fail }, settings);
  const given = wire.closed.then(() => 'Descriptor 4 is not read.');
  const hear = async () => {
    const what = await Promise.race([lost, given]);
    if (!settings.channels.includes('rpc')) return end('client_gone');
    // Who ends closes everything, and in any order.
    const goes = await within(
      ended.then(() => true),
      limits.channelsEndTogether,
    );
    if (goes) return;
    tell(`${what} RPC is still open, and lspan does not serve it alone unless it is started with --no-mcp.`);
    end('channel_failed');
  };
  hear().catch(fail);
  return wire;
}

function tell(sentence: string): void {
  process.stderr.write(`${escapeControls(`lspan: ${sentence}`)}\n`);
}
