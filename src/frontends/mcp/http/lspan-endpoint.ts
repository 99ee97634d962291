import type { Server } from '@modelcontextprotocol/server';
import type { Bridge } from '../../../bridge.ts';
import type { Log } from '../../../core/log.ts';
import { callTool, type OnCallEnd } from '../call-tool.ts';
import { makeFastPath } from '../fast-path/fast-path.ts';
import type { LazyBridge } from '../lazy-bridge.ts';
import { type Offer, withoutFollowing } from '../offer.ts';
import type { OutputMode } from '../output-mode.ts';
import { lspanServer, tellUpdated } from '../sdk/lspan-server.ts';
import { Subscriptions } from '../subscriptions.ts';
import { Endpoint, type EndpointSettings } from './endpoint.ts';
import type { MakeServer } from './make-server.ts';

/** The dependencies of the endpoint of lspan. */
export interface LspanEndpointParts extends Pick<EndpointSettings, 'sessions' | 'only'> {
  readonly offer: Offer;
  readonly bridge: LazyBridge;
  readonly open: () => Promise<Bridge>;
  readonly output: OutputMode;
  readonly onCallEnd: OnCallEnd;
  readonly log: Log;
}

/** Makes the endpoint of lspan: one bridge for all callers, with a scope for each. */
export function lspanEndpoint(parts: LspanEndpointParts): Endpoint {
  const { offer, bridge, open, output, onCallEnd, log, sessions, only } = parts;
  // In the 2026 revision the endpoint keeps the streams of all requests.
  const shared = follow(bridge, open, (uri) => endpoint.resourceUpdated(uri));
  const statelessOffer = withoutFollowing(offer);
  const make: MakeServer = ({ tokenId, era }) => {
    const options = { output, log, scope: tokenId, onCallEnd };
    if (era === '2025-stateless')
      return { server: lspanServer(statelessOffer, { bridge, open }, options), close: () => {} };
    const tell = (uri: string) => tellUpdated(server, uri, log);
    const { subscriptions, close } = era === '2026' ? shared : follow(bridge, open, tell);
    const server: Server = lspanServer(offer, { bridge, open, subscriptions }, options);
    if (era === '2026') return { server, close: () => {} };
    return { server, close, onListener: () => subscriptions.again() };
  };
  const context = { open, surface: offer.surface, calls: bridge.calls, onCallEnd };
  const fastPath = makeFastPath(offer, {
    callTool: (call) => callTool(call, context, output, log),
    knowsFiles: () => bridge.present !== undefined,
  });
  const follower = offer.resourceTemplates.length > 0 ? { follower: shared } : {};
  const endpoint: Endpoint = new Endpoint({ make, fastPath, ...follower, sessions, only, log });
  return endpoint;
}

/** Subscribes to the files of the bridge that is open, also when it is replaced. */
function follow(bridge: LazyBridge, open: () => Promise<unknown>, tell: (uri: string) => void) {
  const subscriptions = new Subscriptions(open, tell);
  const leave = bridge.onOpened(({ resources }) => subscriptions.follow(resources));
  if (bridge.present) subscriptions.follow(bridge.present.resources);
  const close = () => {
    leave();
    subscriptions.close();
  };
  return { subscriptions, close };
}
