import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  specTypeSchemas,
  type Transport,
} from '@modelcontextprotocol/server';
import { object, text } from '../../../core/runtime/json.ts';
import { nearestName } from '../../../core/wording/nearest-name.ts';
import { failure } from '../../../surfaces/gateway/failure.ts';
import type { ToolCall } from '../call-tool.ts';
import { clientIn } from '../fast-path/eras.ts';
import { isCallable, type Offer } from '../offer.ts';
import type { Notify } from '../progress.ts';
import { foldersSentWith } from './client-roots.ts';
import { invalid, named } from './invalid.ts';
import { withPlainErrors } from './plain-errors.ts';

/** Answers a call; the server is passed for requests to the client. */
type Answer = (call: ToolCall, server: Server) => Promise<CallToolResult>;

/** Makes the MCP server of one connection, for either era: it lists the offered tools and passes calls on. */
export function mcpServer(offer: Offer, answer: Answer): Server {
  const { identity, contract } = offer;
  const { capabilities, serverInfo, instructions } = identity;
  const server = new PlainServer(serverInfo, {
    capabilities,
    ...(instructions && { instructions }),
    requestState: { verify: refuseState },
  });
  server.setRequestHandler('tools/list', { params: specTypeSchemas.PaginatedRequestParams }, ({ cursor }) => {
    if (cursor !== undefined) throw invalid('Send no cursor: the list has one page.');
    return { tools: [...offer.tools] };
  });
  server.setRequestHandler('tools/call', ({ params }, context) => {
    if (!isCallable(offer, params.name)) throw unknownTool(params.name, offer);
    // In the 2026 revision every request names its client.
    const client = server.getClientVersion()?.name ?? clientIn(context.mcpReq.envelope ?? {});
    const folders = foldersSentWith(context.mcpReq._meta);
    const call = {
      ...{ tool: params.name, args: argsOf(params, offer, context.mcpReq._meta) },
      ...{ client, folders, notify: notifyOf(context) },
    };
    return answer({ ...call, contract, signal: context.mcpReq.signal }, server);
  });
  return server;
}

/** Returns the arguments of a call. Codex says in `_meta` which of its threads calls, which hooks are about. */
function argsOf(
  {
    name,
    arguments: args = {},
  }: { readonly name: string; readonly arguments?: Record<string, unknown> | undefined },
  { hookTools = [] }: Offer,
  meta: unknown,
): Readonly<Record<string, unknown>> {
  const conversation = text(object(meta).threadId);
  return conversation !== undefined && hookTools.includes(name) ? { conversation, ...args } : args;
}

/** lspan never issues a request state, so any state that a client returns is invalid. */
function refuseState(): never {
  throw invalid('lspan issued no requestState.');
}

/** The SDK's server, on whatever transport the SDK connects it to. */
class PlainServer extends Server {
  override connect(transport: Transport): Promise<void> {
    return super.connect(withPlainErrors(transport));
  }
}

/** Returns the error for a tool that is not offered: where it is, or which one may be meant; under a contract with its code. */
function unknownTool(name: string, { tools, unlisted, contract }: Offer): ProtocolError {
  const message = `Unknown tool: ${named(name)}`;
  const nearest = nearestName(
    name,
    tools.map((tool) => tool.name),
  );
  const hint =
    unlisted?.get(name) ?? (nearest === undefined ? 'See tools/list.' : `Did you mean ${nearest}?`);
  if (!contract) return invalid(`${message}. ${hint}`);
  const { code, retryable } = failure('INVALID_PARAMS', message);
  const nextStep = 'Call a tool of tools/list.';
  const told = `${message}. ${nextStep}`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, told, { code, retryable, nextStep });
}

/** Returns a function that sends progress to the caller; undefined if it did not ask for progress. */
export function notifyOf({ mcpReq }: ServerContext): Notify | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (step) => mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...step } });
}
