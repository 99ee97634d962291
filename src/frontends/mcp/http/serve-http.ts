import { setImmediate } from 'node:timers/promises';
import type { BridgeSettings } from '../../../bridge-settings.ts';
import { within } from '../../../core/call.ts';
import { limits } from '../../../core/limits.ts';
import type { CatalogueSurface } from '../../../surfaces/catalogue-fields.ts';
import { observeServing } from '../../http/http-metrics.ts';
import { openHttpServer } from '../../http/http-server.ts';
import type { Tokens } from '../../http/tokens.ts';
import { LazyBridge } from '../lazy-bridge.ts';
import { makeOffer } from '../offer.ts';
import type { OutputMode } from '../output-mode.ts';
import { lspanEndpoint } from './lspan-endpoint.ts';
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
  const endpoint = lspanEndpoint({ ...settings, offer, bridge, open, onCallEnd: seen.called, log });
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
