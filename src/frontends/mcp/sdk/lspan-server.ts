import type { Server } from '@modelcontextprotocol/server';
import type { Bridge } from '../../../bridge.ts';
import type { Log } from '../../../core/log.ts';
import { callTool, type OnCallEnd } from '../call-tool.ts';
import type { LazyBridge } from '../lazy-bridge.ts';
import type { Offer } from '../offer.ts';
import type { OutputMode } from '../output-mode.ts';
import type { Subscriptions } from '../subscriptions.ts';
import { mcpServer } from './mcp-server.ts';
import { serveCompletion } from './serve-completion.ts';
import { servePrompts } from './serve-prompts.ts';
import { serveResources } from './serve-resources.ts';

/** The dependencies of an SDK server. */
export interface ServerParts {
  readonly bridge: Pick<LazyBridge, 'calls' | 'present'>;
  readonly open: (server: Server) => Promise<Bridge>;
  /** Absent where subscriptions are not supported. */
  readonly subscriptions?: Subscriptions;
}

/** The options of an SDK server. */
export interface ServerOptions {
  readonly output: OutputMode | undefined;
  readonly log: Log;
  /** Identifies the caller, where there are several. */
  readonly scope?: string;
  readonly onCallEnd?: OnCallEnd;
}

/** Makes the SDK's server for one connection, session or request, with everything in an offer. */
export function lspanServer(
  offer: Offer,
  { bridge, open, subscriptions }: ServerParts,
  { output, log, scope, onCallEnd }: ServerOptions,
): Server {
  const { calls } = bridge;
  const server: Server = mcpServer(offer, (call, asked) => {
    const context = { open: () => open(asked), surface: offer.surface, calls, onCallEnd };
    return callTool({ ...call, scope }, context, output, log);
  });
  if (offer.prompts.length > 0) servePrompts(server, offer.prompts);
  if (offer.resourceTemplates.length > 0) {
    const files = { present: () => bridge.present, open: () => open(server), calls, scope };
    serveResources(server, offer.resourceTemplates, files, subscriptions);
  }
  if (offer.identity.capabilities.completions) serveCompletion(server, offer, () => open(server), scope);
  return server;
}

/** Notifies the client of a server that a resource may have changed. */
export function tellUpdated(server: Server, uri: string, log: Log): void {
  server.sendResourceUpdated({ uri }).catch((error) => log('warn', 'mcp.not_told', { error }));
}
