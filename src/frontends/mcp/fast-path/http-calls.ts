import type { CallToolResult, JSONRPCRequest, Result } from '@modelcontextprotocol/server';
import type { CancelSignal } from '../../../core/runtime/cancellation.ts';
import { isRecord } from '../../../core/runtime/json.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { ToolCall } from '../call-tool.ts';
import type { Offer } from '../offer.ts';
import { toldFailure } from '../protocol-errors.ts';
import { clientIn, dataAnswer, isModernClaim, modern, modernTold } from './data-answers.ts';

/** Who asks, and until when somebody waits for the answer. */
export interface Asker {
  readonly tokenId: string;
  /** The client's own name. */
  readonly client: string | undefined;
  readonly signal: CancelSignal;
}

/** What is answered without the SDK: nothing means that the SDK should judge the request. */
export interface HttpFastPath {
  older(request: JSONRPCRequest, asker: Asker): Promise<Result> | undefined;
  modern(request: JSONRPCRequest, exchange: Exchange): Promise<Result> | undefined;
}

/**
 * Answers lists from data and plain calls of tools from the bridge, byte for byte as the SDK would. The SDK makes a
 * server, a request and a stream for each of them, which takes longer than the rest of a call.
 */
export function httpFastPath(
  offer: Offer,
  call: (call: ToolCall) => Promise<CallToolResult>,
  knowsFiles: () => boolean,
): HttpFastPath {
  const { contract } = offer;
  const names = new Set(offer.tools.map(({ name }) => name));
  const told = modernTold(offer.identity.serverInfo);
  const listed = (request: JSONRPCRequest) => {
    const isAlive = request.method === 'initialize' || (request.method === 'resources/list' && knowsFiles());
    const result = isAlive ? undefined : dataAnswer(request, offer);
    return result && Promise.resolve(result);
  };
  return {
    older(request, { tokenId, client, signal }) {
      const plain = request.method === 'tools/call' ? plainCall(request, names, isEmpty) : undefined;
      if (!plain) return listed(request);
      const { tool, args } = plain;
      return call({ tool, args, client, signal, scope: tokenId, notify: undefined, contract });
    },
    modern(request, { headers, tokenId, gone: signal }) {
      if (headers.get('mcp-protocol-version') !== modern || headers.get('mcp-method') !== request.method)
        return undefined;
      if (request.method !== 'tools/call') {
        const isFitting = headers.get('mcp-name') === undefined && isModernClaim(request.params?._meta ?? {});
        return isFitting ? listed(request) : undefined;
      }
      const plain = plainCall(request, names, isModernClaim);
      if (!plain || headers.get('mcp-name') !== plain.tool) return undefined;
      const { tool, args, claim } = plain;
      const client = clientIn(claim);
      const answered = call({ tool, args, client, signal, scope: tokenId, notify: undefined, contract });
      return answered.then((result) => ({ ...result, ...told }));
    },
  };
}

/** The message that answers a request: its result, or the failure that the answering ended in. */
export async function plainReply({ id }: JSONRPCRequest, answering: Promise<Result>): Promise<string> {
  const answered = answering.then((result) => ({ result, jsonrpc: '2.0', id }));
  return JSON.stringify(
    await answered.catch((thrown: unknown) => ({ jsonrpc: '2.0', id, error: toldFailure(thrown) })),
  );
}

interface PlainCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What the request says of itself. */
  readonly claim: Readonly<Record<string, unknown>>;
}

/** A call that asks for nothing but the answer of a tool that is offered; progress is for the SDK to tell. */
function plainCall(
  { params = {} }: JSONRPCRequest,
  names: ReadonlySet<string>,
  isFitting: (claim: Readonly<Record<string, unknown>>) => boolean,
): PlainCall | undefined {
  const { name, arguments: args = {}, _meta: claim = {} } = params;
  if (!Object.keys(params).every((key) => fields.has(key))) return undefined;
  if (!isRecord(args) || !isFitting(claim)) return undefined;
  return typeof name === 'string' && names.has(name) ? { tool: name, args, claim } : undefined;
}

const fields: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}
