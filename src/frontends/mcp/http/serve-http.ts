import { setImmediate } from 'node:timers/promises';
import type { Server } from '@modelcontextprotocol/server';
import type { Bridge } from '../../../bridge.ts';
import type { BridgeSettings } from '../../../bridge-settings.ts';
import { within } from '../../../core/call.ts';
import { limits } from '../../../core/limits.ts';
import type { Log } from '../../../core/log.ts';
import type { CatalogueSurface } from '../../../surfaces/catalogue-fields.ts';
import { observeServing } from '../../http/http-metrics.ts';
import { type HttpServerOptions, openHttpServer } from '../../http/http-server.ts';
import type { Tokens } from '../../http/request-rules.ts';
import { callTool, type OnCallEnd } from '../call-tool.ts';
import { makeFastPath } from '../fast-path/fast-path.ts';
import { LazyBridge } from '../lazy-bridge.ts';
import { makeOffer, type Offer, withoutFollowing } from '../offer.ts';
import type { OutputMode } from '../output-mode.ts';
import { lspanServer, tellUpdated } from '../sdk/lspan-server.ts';
import { Subscriptions } from '../subscriptions.ts';
import { Endpoint, type EndpointSettings } from './endpoint.ts';
import type { MakeServer } from './make-server.ts';
import type { Revision } from './protocol-version.ts';

/** The settings of `lspan serve`. */
export interface HttpSettings {
  readonly bridge: Omit<BridgeSettings, 'roots'>;
  readonly roots: readonly string[];
  readonly surface: CatalogueSurface;
  readonly output: OutputMode;
  readonly toolsets: readonly string[];
  readonly readOnly: boolean;
  readonly startsEarly: boolean;
  readonly host: '127.0.0.1' | '::1';
  readonly port: number;
  readonly path: string;
  readonly origins: readonly string[];
  readonly sessions: boolean;
  readonly only?: Revision | undefined;
  readonly tokens: Tokens;
  /** Overrides of the default limits of the HTTP server. */
  readonly limits?: HttpServerOptions['limits'];
  /** Called when a call of a tool has ended. */
  readonly onCallEnd?: OnCallEnd;
  /** Writes the entries of a trace, if one is kept. */
  readonly trace?: (entry: object) => void;
}

/** A running HTTP gateway. */
export interface Gateway {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves MCP over HTTP: one bridge for all clients, whose folders the user names, not the clients. */
export async function serveHttp(settings: HttpSettings): Promise<Gateway> {
  const { tokens, roots } = settings;
  const offer = makeOffer(settings.surface, settings);
  const tools = offer.tools.map(({ name }) => name);
  const { additionalRoots = [], log: told } = settings.bridge;
  const known = [...roots, ...additionalRoots];
  const seen = observeServing({ log: told, trace: settings.trace, roots: known, tools });
  const { log, trace } = seen;
  const bridge = new LazyBridge({ ...settings.bridge, log, ...(trace && { trace }) });
  const open = () => bridge.open(async () => roots);
  const onCallEnd: OnCallEnd = (call, outcome, ms) => {
    seen.called(call, outcome, ms);
    settings.onCallEnd?.(call, outcome, ms);
  };
  const endpoint = lspanEndpoint({ ...settings, offer, bridge, open, onCallEnd, log });
  const unheard = tokens.onRevoked((tokenId) => endpoint.forget(tokenId));
  const { host, port, path, origins, sessions } = settings;
  const server = await openHttpServer({
    host,
    port,
    endpoint: path,
    origins,
    tokens,
    serve: seen.door.heard(endpoint.serve),
    onAnswered: seen.door.onAnswered,
    sessions,
    metrics: seen.metrics.render,
    ...(settings.limits && { limits: settings.limits }),
    log,
  });
  seen.metrics.watch({
    sessions: () => endpoint.sessions,
    streams: () => server.counts().streams,
    requestsInFlight: () => server.counts().calls,
    callsInFlight: () => bridge.calls.count,
    servers: () => bridge.present?.health?.() ?? [],
  });
  log('info', 'http.started', { address: host, port: server.port, endpoint: path });
  // The code for the first call can load while no client waits.
  const failed = (error: unknown) => log('error', 'bridge.not_opened', { error: String(error) });
  (settings.startsEarly ? open() : bridge.load()).catch(failed);
  return {
    url: `http://${host === '::1' ? '[::1]' : host}:${server.port}${path}`,
    async close() {
      unheard();
      await endpoint.close();
      // Lets the last messages of the endpoint go out before the server aborts all requests.
      await setImmediate();
      await server.close();
      await within(bridge.close(), limits.leaving);
      seen.close();
    },
  };
}

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
  const make: MakeServer = ({ tokenId, era, told }) => {
    const options = { output, log, scope: tokenId, told, onCallEnd };
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
  const awaitsInitialized = offer.contract === true;
  const settled = { make, fastPath, ...follower, sessions, awaitsInitialized, only, log };
  const endpoint: Endpoint = new Endpoint(settled);
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
