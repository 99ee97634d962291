import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  Server,
  type ServerContext,
  specTypeSchemas,
} from '@modelcontextprotocol/server';
import type { ToolCall } from './call-tool.ts';
import { invalid, named } from './invalid.ts';
import { notifyOf } from './notify-of.ts';
import type { Offer } from './offer.ts';

/** Whoever answers a call; the server is there for what only the client knows. */
export type Answer = (call: ToolCall, server: Server) => Promise<CallToolResult>;

/** The MCP server of one connection, for either era: it tells the offer and passes calls on. */
export function mcpServer({ identity, tools }: Offer, answer: Answer): Server {
  const { capabilities, serverInfo, instructions } = identity;
  const server = new Server(serverInfo, { capabilities, ...(instructions && { instructions }) });
  const names = new Set(tools.map((tool) => tool.name));
  server.setRequestHandler('tools/list', { params: specTypeSchemas.PaginatedRequestParams }, ({ cursor }) => {
    if (cursor !== undefined) throw invalid('No cursor was given out: the list has one page.');
    return { tools: [...tools] };
  });
  server.setRequestHandler('tools/call', ({ params }, context) => {
    if (!names.has(params.name)) throw invalid(`Unknown tool: ${named(params.name)}`);
    const client = server.getClientVersion()?.name ?? clientIn(context);
    const call = { tool: params.name, args: params.arguments ?? {}, client, notify: notifyOf(context) };
    return answer({ ...call, signal: context.mcpReq.signal }, server);
  });
  return server;
}

/** In the 2026 revision every request says who asks. */
function clientIn({ mcpReq }: ServerContext): string | undefined {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const info = envelope[CLIENT_INFO_META_KEY];
  if (typeof info !== 'object' || info === null || !('name' in info)) return undefined;
  return typeof info.name === 'string' ? info.name : undefined;
}
