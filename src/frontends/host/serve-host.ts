import { Socket, type SocketConstructorOpts } from 'node:net';
import type { Readable } from 'node:stream';
import type { BridgeSettings } from '../../bridge-settings.ts';
import { within } from '../../core/call.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import { descriptorFacts } from '../../platform/processes/descriptor-facts.ts';
import { version } from '../../version.ts';
import { LazyBridge } from '../mcp/lazy-bridge.ts';
import type { Offer } from '../mcp/offer.ts';
import { serveStream } from '../mcp/stdio/serve-stream.ts';
import type { StreamSettings } from '../mcp/stdio/stream-settings.ts';
import { escapeControls } from '../observe/log.ts';
import { exitCodes, listenForEnd, type ProcessLife } from '../process-life.ts';
import { type RpcChannel, serveRpc } from '../rpc/serve-rpc.ts';
import { gatheredOutput, type ProtocolOutput, reserveStdout } from '../stdout.ts';
import { type ChannelName, noStream } from './check-descriptors.ts';

/** Settings of `lspan host`. */
export interface HostSettings extends StreamSettings {
  readonly bridge: Omit<BridgeSettings, 'roots'>;
  /** The offer over MCP. */
  readonly offer: Offer;
  readonly channels: readonly ChannelName[];
}

/**
 * Serves a program around lspan: RPC on stdin and stdout, MCP on descriptors 3 and 4, one bridge behind both. Returns the
 * exit code. Rejects if the bridge does not open, since the program can correct its input.
 */
export async function serveHost(settings: HostSettings): Promise<number> {
  const { bridge: bridgeSettings, channels, roots } = settings;
  const { log } = bridgeSettings;
  const output = reserveStdout(log);
  const life = listenForEnd(log);
  const bridge = new LazyBridge(bridgeSettings);
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

/** Serves the program itself; lspan ends with this channel. */
function rpcOnStdio(
  output: ProtocolOutput,
  bridge: LazyBridge,
  { roots, bridge: { log } }: HostSettings,
  { end, fail }: ProcessLife,
): RpcChannel {
  // For other descriptors Node creates a stream that ends at once or discards everything.
  if (!(process.stdin instanceof Socket)) throw noStream(0);
  if (!(process.stdout instanceof Socket)) throw noStream(1);
  const open = () => bridge.open(async () => roots);
  const rpc = serveRpc({ input: process.stdin, output, open, log });
  const watch = async () => {
    const ending = await rpc.ended;
    if (ending.kind === 'fault') writeError(ending.reason);
    end(endings[ending.kind]);
  };
  watch().catch(fail);
  return rpc;
}

const endings = { closed: 'client_gone', shutdown: 'shutdown', fault: 'channel_failed' } as const;

/** Serves the agents. Losing this channel is an error unless there is only MCP: an agent may wait for an answer. */
function mcpOnDescriptors(bridge: LazyBridge, settings: HostSettings, { ended, end, fail }: ProcessLife) {
  const { input, output, lost } = openDescriptors();
  const channel = serveStream({ input, output }, { offer: settings.offer, bridge, fail }, settings);
  const stalled = channel.closed.then(() => 'Descriptor 4 is not read.');
  const watch = async () => {
    const what = await Promise.race([lost, stalled]);
    if (!settings.channels.includes('rpc')) return end('client_gone');
    // A program that ends closes all channels, in any order.
    const isEnding = await within(
      ended.then(() => true),
      limits.channelsEndTogether,
    );
    if (isEnding) return;
    writeError(`${what} RPC is still open, but lspan serves it alone only with --no-mcp.`);
    end('channel_failed');
  };
  watch().catch(fail);
  return channel;
}

function writeError(sentence: string): void {
  process.stderr.write(`${escapeControls(`lspan: ${sentence}`)}\n`);
}

/** MCP streams on descriptors 3 and 4. */
export interface Descriptors {
  readonly input: Readable;
  readonly output: ProtocolOutput;
  /** Resolves to a sentence when either can no longer be used. */
  readonly lost: Promise<string>;
}

/** Opens descriptors that were checked before. Throws if one is not a stream after all. */
export function openDescriptors(): Descriptors {
  const input = streamOn(3, { readable: true, writable: false });
  // A closed peer is noticed on a socket by reading, on a pipe only by writing.
  const [from, to] = [descriptorFacts(3), descriptorFacts(4)];
  const listens = to?.kind === 'a socket' && to.identity !== from?.identity;
  const output = streamOn(4, { readable: listens, writable: true, allowHalfOpen: true });
  const lost = new Promise<string>((resolve) => {
    const closed = (descriptor: number) => () => resolve(`Descriptor ${descriptor} was closed.`);
    const failed = (descriptor: number) => (error: Error) =>
      resolve(`Descriptor ${descriptor} failed: ${error.message}.`);
    input.once('end', closed(3)).once('error', failed(3)).once('close', closed(3));
    output.once('error', failed(4)).once('close', closed(4));
    if (listens) output.once('end', closed(4)).once('data', () => resolve(swapped));
  });
  return { input, output: gatheredOutput(output, output.write.bind(output)), lost };
}

function streamOn(fd: number, options: SocketConstructorOpts): Socket {
  const stream = resultOrError(() => new Socket({ ...options, fd }));
  if (stream instanceof LspanError) throw noStream(fd);
  return stream;
}

const swapped = 'The program wrote to descriptor 4, which only lspan writes to: 3 and 4 look swapped.';
