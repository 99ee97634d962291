import type { Server, Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { callTool } from './call-tool.ts';
import { clientRoots } from './client-roots.ts';
import type { LazyBridge } from './lazy-bridge.ts';
import { type Answer, mcpServer } from './mcp-server.ts';
import type { Offer } from './offer.ts';
import type { StdioSettings } from './serve-stdio.ts';

/** Puts the SDK behind a transport. It decides the era of the connection and answers both. */
export function connectSdk(
  transport: Transport,
  offer: Offer,
  bridge: LazyBridge,
  settings: StdioSettings,
): void {
  const { log } = settings.bridge;
  const answer: Answer = (call, server) =>
    callTool(call, () => bridge.open(() => rootsFor(settings, server)), settings.output);
  serveStdio(() => mcpServer(offer, answer), {
    transport,
    onerror: (error) => log('warn', 'mcp.error', { error: error.message }),
  });
}

/** What the user named wins; else what the client says; else what was found. */
async function rootsFor(settings: StdioSettings, server: Server): Promise<readonly string[]> {
  if (settings.roots.length > 0 && !settings.rootsFromClient) return settings.roots;
  const told = await clientRoots(server, settings.bridge.log);
  return told.length > 0 ? told : settings.roots;
}
