import type { CallToolResult, JSONRPCRequest, Result } from '@modelcontextprotocol/server';
import type { CancelSignal } from '../../../core/runtime/cancellation.ts';
import { isRecord } from '../../../core/runtime/json.ts';
import { isId, type RequestId } from '../../../jsonrpc/message.ts';
import type { ToolCall } from '../call-tool.ts';
import type { Offer } from '../offer.ts';
import type { Notify } from '../progress.ts';
import { toldFailure } from '../protocol-errors.ts';
import { dataAnswer, stamp2026 } from './data-answers.ts';
import { clientIn, type Era, is2026Claim } from './eras.ts';

/** Decides whether a request can be answered without the SDK; nothing means that the SDK should judge it. */
export type FastPath = (request: JSONRPCRequest, caller: FastPathCaller) => FastAnswer | undefined;

/** Who asks, and how. */
export interface FastPathCaller {
  /** Absent before the handshake: the SDK then finds out who it is that calls. */
  readonly era: Era | undefined;
  /** The client's own name; in the 2026 revision each request tells it. */
  readonly client?: string | undefined;
  /** The caller, where there are several. */
  readonly scope?: string | undefined;
  /** Makes what tells the caller of progress; absent where that is left to the SDK. */
  readonly notifyOf?: (progressToken: RequestId) => Notify;
}

/** An answer without the SDK. */
export interface FastAnswer {
  /** Present where nobody has to be asked. */
  readonly data?: Result;
  run(signal: CancelSignal): Promise<Result>;
}

/** What the fast path stands on. */
export interface FastPathContext {
  /** Calls a tool; absent where every call needs what only the SDK can ask the client. */
  readonly callTool?: (call: ToolCall) => Promise<CallToolResult>;
  /** Whether something is known of the files of the workspace, which the SDK then lists. */
  readonly knowsFiles: () => boolean;
}

/**
 * Makes the fast path of an offer, for streams and for HTTP: it answers lists from data and plain calls of tools from the
 * bridge, byte for byte as the SDK would. To load the SDK takes nearly as long as to start Node; and over HTTP it makes a
 * server, a request and a stream for each call, which takes longer than the rest of it.
 */
export function makeFastPath(offer: Offer, { callTool, knowsFiles }: FastPathContext): FastPath {
  const { contract, identity } = offer;
  const names = new Set(offer.tools.map(({ name }) => name));
  const stamp = stamp2026(identity.serverInfo);
  return (request, caller) => {
    if (request.method !== 'tools/call') return fromData(request, caller, offer, knowsFiles);
    const plain = callTool && readCall(request, caller);
    if (!plain || !names.has(plain.tool)) return undefined;
    const call = { ...plain, scope: caller.scope, contract };
    return {
      run: async (signal) => {
        const result = await callTool({ ...call, signal });
        return caller.era === '2026' ? { ...result, ...stamp } : result;
      },
    };
  };
}

/** Returns the message that answers a request: its result, or the failure in which the answering ended. */
export function replyTo({ id }: JSONRPCRequest, answering: Promise<Result>) {
  return answering.then(
    (result) => ({ result, jsonrpc: '2.0', id }) as const,
    (thrown: unknown) => ({ jsonrpc: '2.0', id, error: toldFailure(thrown) }) as const,
  );
}

function fromData(
  request: JSONRPCRequest,
  { era }: FastPathCaller,
  offer: Offer,
  knowsFiles: () => boolean,
): FastAnswer | undefined {
  const { method, params } = request;
  if (era === '2026' && !is2026Claim(params?._meta ?? {})) return undefined;
  // A second handshake is for the SDK to refuse.
  if (method === 'initialize' && era !== undefined) return undefined;
  if (method === 'resources/list' && knowsFiles()) return undefined;
  const data = dataAnswer(request, offer);
  return data && { data, run: async () => data };
}

/** Reads a call that asks for nothing but the answer of a tool, and for progress where that can be told. */
function readCall(
  { params = {} }: JSONRPCRequest,
  { era, client, notifyOf }: FastPathCaller,
): Omit<ToolCall, 'signal'> | undefined {
  const { name, arguments: args = {}, _meta: meta = {}, ...others } = params;
  const { progressToken: token, ...claim } = meta;
  if (era === undefined || typeof name !== 'string' || !isRecord(args) || !isEmpty(others)) return undefined;
  if (!(era === '2026' ? is2026Claim(claim) : isEmpty(claim))) return undefined;
  const told = { tool: name, args, client: era === '2026' ? clientIn(claim) : client };
  if (token === undefined) return { ...told, notify: undefined };
  return notifyOf && isId(token) ? { ...told, notify: notifyOf(token) } : undefined;
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}
