import type { Readable } from 'node:stream';
import type { ProtocolOutput } from '../../stdout.ts';
import { type FastPathContext, makeFastPath } from '../fast-path/fast-path.ts';
import { SdkDeferral } from '../fast-path/sdk-deferral.ts';
import type { LazyBridge } from '../lazy-bridge.ts';
import type { Offer } from '../offer.ts';
import { Subscriptions } from '../subscriptions.ts';
import { ToldDoubts } from '../told-doubts.ts';
import { StdioTransport } from './stdio-transport.ts';
import { asksClientForRoots, type StreamSettings } from './stream-settings.ts';

interface Directions {
  readonly input: Readable;
  readonly output: ProtocolOutput;
}

/** The offer to serve, and a handler of unexpected failures. */
interface Served {
  readonly offer: Offer;
  readonly bridge: LazyBridge;
  readonly fail: (error: unknown) => void;
}

/** Serves MCP in lines on a byte stream, once it is started, for either era. Only needed code is loaded. */
export function serveStream(
  { input, output }: Directions,
  { offer, bridge, fail }: Served,
  settings: StreamSettings,
): StdioTransport {
  const { log } = settings.bridge;
  const wire = new StdioTransport(input, output);
  const openPresent = () => bridge.openUnasked(settings.roots);
  // Before there is a server, no client can be notified.
  let tell = (_uri: string) => {};
  const subscriptions = new Subscriptions(openPresent, (uri) => tell(uri));
  bridge.onOpened(({ resources }) => subscriptions.follow(resources));
  const told = new ToldDoubts();
  const calls = needsSdk(settings) ? undefined : callsWithoutSdk(offer, bridge, told, settings);
  const deferral: SdkDeferral = new SdkDeferral(wire, {
    callSdk: () => {
      const onServer = (tellClient: typeof tell) => {
        tell = tellClient;
      };
      import('./connect-sdk.ts')
        .then((sdk) => sdk.connectSdk(deferral, offer, { bridge, subscriptions, told, onServer }, settings))
        .catch(fail);
    },
    fastPath: makeFastPath(offer, { knowsFiles: () => bridge.present !== undefined, ...calls }),
    overhear: (message) => (offer.resourceTemplates.length > 0 ? subscriptions.overhear(message) : undefined),
    ...(calls && { expectCalls: () => bridge.load().catch(fail) }),
  });
  deferral.onerror = (error) => log('warn', 'mcp.error', { error: error.message });
  return wire;
}

/** True if only the SDK can request the client's roots, or receive its initialized notification. */
function needsSdk(settings: StreamSettings): boolean {
  return settings.startsEarly === true || asksClientForRoots(settings);
}

function callsWithoutSdk(
  offer: Offer,
  bridge: LazyBridge,
  told: ToldDoubts,
  { roots, output, bridge: { log } }: StreamSettings,
): Pick<FastPathContext, 'callTool'> {
  const { surface } = offer;
  const context = {
    open: () => bridge.open(async () => roots),
    ready: () => bridge.ready,
    surface,
    calls: bridge.calls,
    passesJson: true,
  } as const;
  let loaded: typeof import('../call-tool.ts') | undefined;
  const load = async () => {
    loaded ??= await import('../call-tool.ts');
    return loaded;
  };
  return {
    callTool: (call) => {
      const asked = { ...call, told };
      if (loaded) return loaded.callTool(asked, context, output, log);
      return load().then(({ callTool }) => callTool(asked, context, output, log));
    },
  };
}
