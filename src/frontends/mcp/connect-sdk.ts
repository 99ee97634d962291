import type { Server, Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { callTool } from './call-tool.ts';
import { clientRoots } from './client-roots.ts';
import { isForClientToSay } from './client-says.ts';
import type { FindRoots, LazyBridge } from './lazy-bridge.ts';
import { type Answer, mcpServer } from './mcp-server.ts';
import type { Offer } from './offer.ts';
import { serveCompletion } from './serve-completion.ts';
import { servePrompts } from './serve-prompts.ts';
import { serveResources } from './serve-resources.ts';
import type { StdioSettings } from './serve-stdio.ts';
import type { Subscriptions } from './subscriptions.ts';

/** What stands behind the SDK. */
export interface Behind {
  readonly bridge: LazyBridge;
  readonly subscriptions: Subscriptions;
}

/** Puts the SDK behind a transport. It decides the era of the connection and answers both. */
export function connectSdk(
  transport: Transport,
  offer: Offer,
  { bridge, subscriptions }: Behind,
  settings: StdioSettings,
): void {
  const { log } = settings.bridge;
  const answer: Answer = (call, server) => {
    const open = () => bridge.open(rootsFor(settings, server));
    return callTool(call, { open, calls: bridge.calls }, settings.output, log);
  };
  const make = () => {
    const server = mcpServer(offer, answer);
    const open = () => bridge.open(rootsFor(settings, server));
    if (offer.prompts.length > 0) servePrompts(server, offer.prompts);
    if (offer.resourceTemplates.length > 0) {
      serveResources(
        server,
        offer.resourceTemplates,
        { present: () => bridge.present, open, calls: bridge.calls },
        subscriptions,
      );
      subscriptions.tell = (uri) =>
        void server.sendResourceUpdated({ uri }).catch((error) => log('warn', 'mcp.not_told', { error }));
    }
    if (offer.identity.capabilities.completions) serveCompletion(server, offer, open);
    if (isForClientToSay(settings))
      server.setNotificationHandler('notifications/roots/list_changed', () => bridge.doubtRoots());
    if (settings.startsEarly) server.oninitialized = () => openEarly(bridge, settings, server);
    return server;
  };
  serveStdio(make, {
    transport,
    onerror: (error) => log('warn', 'mcp.error', { error: error.message }),
  });
}

/** The client has said hello, so its roots can be asked for; a call that comes meanwhile shares the opening. */
function openEarly(bridge: LazyBridge, settings: StdioSettings, server: Server): void {
  const { log } = settings.bridge;
  bridge.open(rootsFor(settings, server)).catch((error) => log('warn', 'early_start_failed', { error }));
}

/** What the user named wins; else what the client says; else what was found. No answer from the client changes nothing. */
function rootsFor(settings: StdioSettings, server: Server): FindRoots {
  return async (present = settings.roots) => {
    if (!isForClientToSay(settings)) return settings.roots;
    const told = await clientRoots(server, settings.bridge.log);
    if (!told) return present;
    return told.length > 0 ? told : settings.roots;
  };
}
