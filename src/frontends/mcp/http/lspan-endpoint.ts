import type { Bridge } from '../../../bridge.ts';
import type { Log } from '../../../core/log.ts';
import { callTool, type OnCallEnd } from '../call-tool.ts';
import { httpFastPath } from '../fast-path/http-calls.ts';
import type { LazyBridge } from '../lazy-bridge.ts';
import { type Offer, withoutFollowing } from '../offer.ts';
import type { OutputMode } from '../output-mode.ts';
import { lspanServer, tellOf } from '../sdk/lspan-server.ts';
import { Subscriptions } from '../subscriptions.ts';
import { createEndpoint, type Endpoint, type EndpointSettings } from './endpoint.ts';
import type { MakeServer } from './make-server.ts';

/** What the endpoint of lspan is made of. */
export interface LspanEndpointParts extends Pick<EndpointSettings, 'sessions' | 'only'> {
  readonly offer: Offer;
  readonly bridge: LazyBridge;
  readonly open: () => Promise<Bridge>;
  readonly output: OutputMode;
  readonly onCallEnd: OnCallEnd;
  readonly log: Log;
}

/** The endpoint with lspan behind it: one bridge for all, and for each who asks what is its own. */
export function lspanEndpoint(parts: LspanEndpointParts): Endpoint {
  const { offer, bridge, open, output, onCallEnd, log, sessions, only } = parts;
  // In the 2026 revision the streams are kept by the endpoint, for all requests.
  const shared = follow(bridge, open);
  const alone = withoutFollowing(offer);
  const make: MakeServer = ({ tokenId, era }) => {
    const manner = { output, log, scope: tokenId, onCallEnd };
    if (era === 'alone') return { server: lspanServer(alone, { bridge, open }, manner), close: () => {} };
    const { subscriptions, close } = era === 'older' ? follow(bridge, open) : shared;
    const server = lspanServer(offer, { bridge, open, subscriptions }, manner);
    if (era === 'modern') return { server, close: () => {} };
    subscriptions.tell = tellOf(server, log);
    return { server, close, onListener: () => subscriptions.again() };
  };
  const plain = httpFastPath(
    offer,
    (call) => callTool(call, { open, surface: offer.surface, calls: bridge.calls, onCallEnd }, output, log),
    () => bridge.present !== undefined,
  );
  return createEndpoint({
    make,
    plain,
    ...(offer.resourceTemplates.length > 0 && {
      follow: (tell) => {
        shared.subscriptions.tell = tell;
        return shared;
      },
    }),
    sessions,
    only,
    log,
  });
}

/** What follows the files of whatever bridge is open. */
function follow(bridge: LazyBridge, open: () => Promise<unknown>) {
  const subscriptions = new Subscriptions(open);
  const leave = bridge.onOpened(({ resources }) => subscriptions.follow(resources));
  if (bridge.present) subscriptions.follow(bridge.present.resources);
  const close = () => {
    leave();
    subscriptions.close();
  };
  return { subscriptions, close };
}
