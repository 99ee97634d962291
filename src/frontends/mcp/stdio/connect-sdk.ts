import type { Server, Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { limits } from '../../../core/limits.ts';
import type { FindRoots, LazyBridge } from '../lazy-bridge.ts';
import type { Offer } from '../offer.ts';
import { clientRoots } from '../sdk/client-roots.ts';
import { lspanServer, tellUpdated } from '../sdk/lspan-server.ts';
import type { Subscriptions } from '../subscriptions.ts';
import type { ToldDoubts } from '../told-doubts.ts';
import { asksClientForRoots, beginConversation, type StreamSettings } from './stream-settings.ts';

/** The dependencies of the SDK's server. */
export interface SdkContext {
  readonly bridge: LazyBridge;
  readonly subscriptions: Subscriptions;
  readonly told: ToldDoubts;
  /** Called with the function that notifies the client of changed resources, for each new server. */
  readonly onServer: (tell: (uri: string) => void) => void;
}

/** Connects the SDK to a transport. The SDK determines the era of the connection and serves both. */
export function connectSdk(
  transport: Transport,
  offer: Offer,
  { bridge, subscriptions, told, onServer }: SdkContext,
  settings: StreamSettings,
): void {
  const { output } = settings;
  const { log } = settings.bridge;
  let sent: readonly string[] = [];
  const open = (server: Server, folders: readonly string[] = []) => {
    if (folders.length > 0 && folders.join('\0') !== sent.join('\0')) {
      sent = folders;
      bridge.doubtRoots();
    }
    return bridge.open(rootsFor(settings, server, sent));
  };
  const make = () => {
    const server = lspanServer(offer, { bridge, open, subscriptions }, { output, log, told });
    onServer((uri) => tellUpdated(server, uri, log));
    if (asksClientForRoots(settings))
      server.setNotificationHandler('notifications/roots/list_changed', () => bridge.doubtRoots());
    if (settings.startsEarly || settings.afterEdit)
      server.oninitialized = () => openEarly(bridge, settings, server);
    return server;
  };
  serveStdio(make, {
    transport,
    onerror: (error) => log('warn', 'mcp.error', { error: error.message }),
  });
}

/** The client has initialized, so its roots can be requested; a concurrent call shares the opening. */
function openEarly(bridge: LazyBridge, settings: StreamSettings, server: Server): void {
  const { log } = settings.bridge;
  bridge
    .open(rootsFor(settings, server))
    .then((opened) => (settings.afterEdit ? beginConversation(opened) : undefined))
    .catch((error) => log('warn', 'early_start_failed', { error }));
}

/**
 * Roots named by the user win, then the client's, then those sent with the last call, then those found. Without an answer
 * nothing changes. A client that has told of a change will answer, however busy it is, so it gets more time.
 */
function rootsFor(settings: StreamSettings, server: Server, sent: readonly string[] = []): FindRoots {
  return async (present) => {
    if (!asksClientForRoots(settings)) return settings.roots;
    const time = present ? limits.clientRoots.changed : limits.clientRoots.first;
    const told = await clientRoots(server, time, settings.bridge.log);
    if (!told) return present ? undefined : settings.roots;
    if (told.length > 0) return told;
    return sent.length > 0 ? sent : settings.roots;
  };
}
