import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  specTypeSchemas,
} from '@modelcontextprotocol/server';
import { failure } from '../../../surfaces/gateway/failure.ts';
import type { ToolCall } from '../call-tool.ts';
import { clientIn } from '../fast-path/eras.ts';
import type { Offer } from '../offer.ts';
import type { Notify } from '../progress.ts';
import { invalid, named } from './invalid.ts';

/** Whoever answers a call; the server is there for what only the client knows. */
type Answer = (call: ToolCall, server: Server) => Promise<CallToolResult>;

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

/** The error for a tool that is not offered; by a contract with its code. */
function unknownTool(name: string, contract: true | undefined): ProtocolError {
  const message = `Unknown tool: ${named(name)}`;
  if (!contract) return invalid(message);
  const { code, retryable } = failure('INVALID_PARAMS', message);
  const nextStep = 'Call a tool of tools/list.';
  const told = `${message}. ${nextStep}`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, told, { code, retryable, nextStep });
}

/** How a caller is told of progress; nothing where it did not ask. */
export function notifyOf({ mcpReq }: ServerContext): Notify | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (step) => mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...step } });
}
