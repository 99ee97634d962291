import { type CallToolResult, Server, specTypeSchemas } from '@modelcontextprotocol/server';
import type { ToolCall } from '../call-tool.ts';
import { clientIn } from '../fast-path/data-answers.ts';
import type { Offer } from '../offer.ts';
import { invalid } from './invalid.ts';
import { notifyOf } from './notify-of.ts';
import { unknownTool } from './unknown-tool.ts';

/** Whoever answers a call; the server is there for what only the client knows. */
export type Answer = (call: ToolCall, server: Server) => Promise<CallToolResult>;

/** The MCP server of one connection, for either era: it tells the offer and passes calls on. */
export function mcpServer({ identity, tools, contract }: Offer, answer: Answer): Server {
  const { capabilities, serverInfo, instructions } = identity;
  const server = new Server(serverInfo, {
    capabilities,
    ...(instructions && { instructions }),
    requestState: { verify: refuseState },
  });
  const names = new Set(tools.map((tool) => tool.name));
  server.setRequestHandler('tools/list', { params: specTypeSchemas.PaginatedRequestParams }, ({ cursor }) => {
    if (cursor !== undefined) throw invalid('No cursor was given out: the list has one page.');
    return { tools: [...tools] };
  });
  server.setRequestHandler('tools/call', ({ params }, context) => {
    if (!names.has(params.name)) throw unknownTool(params.name, contract);
    // In the 2026 revision every request says who asks.
    const client = server.getClientVersion()?.name ?? clientIn(context.mcpReq.envelope ?? {});
    const call = { tool: params.name, args: params.arguments ?? {}, client, notify: notifyOf(context) };
    return answer({ ...call, contract, signal: context.mcpReq.signal }, server);
  });
  return server;
}

/** Nothing is ever asked back, so whatever a client returns as the state of a request is not ours. */
function refuseState(): never {
  throw invalid('No requestState was given out.');
}
