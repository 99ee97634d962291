import type { CallToolResult, JSONRPCRequest, Result } from '@modelcontextprotocol/server';
import type { CancelSignal } from '../../../core/runtime/cancellation.ts';
import { isRecord } from '../../../core/runtime/json.ts';
import type { RequestId } from '../../../jsonrpc/message.ts';
import type { ToolCall } from '../call-tool.ts';
import { isCallable, type Offer, promptTold } from '../offer.ts';
import type { Notify } from '../progress.ts';
import { toldFailure } from '../protocol-errors.ts';
import type { ToldDoubts } from '../told-doubts.ts';
import {
  areUsual,
  clientIn,
  type Era,
  is2026Claim,
  isImplementation,
  revision2026,
  revisions,
} from './eras.ts';

/** Answers a request without the SDK, if possible; undefined leaves the request to the SDK. */
export type FastPath = (request: JSONRPCRequest, caller: FastPathCaller) => FastAnswer | undefined;

/** The caller of a request. */
interface FastPathCaller {
  /** Absent before the handshake: the SDK then determines the era. */
  readonly era: Era | undefined;
  /** The name in the client's `clientInfo`; in the 2026 revision each request has it. */
  readonly client?: string | undefined;
  /** Identifies the caller, where there are several. */
  readonly scope?: string | undefined;
  /** The doubts that its conversation was told; absent for a request that belongs to none. */
  readonly told?: ToldDoubts | undefined;
  /** Returns a function that sends progress; absent where progress is left to the SDK. */
  readonly notifyOf?: (progressToken: RequestId) => Notify;
}

/** An answer without the SDK. */
export interface FastAnswer {
  /** Present if the answer needs no bridge. */
  readonly data?: Result;
  run(signal: CancelSignal): Promise<Result>;
}

/** The dependencies of the fast path. */
export interface FastPathContext {
  /** Calls a tool; absent where every call needs something that only the SDK can request from the client. */
  readonly callTool?: (call: ToolCall) => Promise<CallToolResult>;
  /** True if files of the workspace are known, which the SDK then lists. */
  readonly knowsFiles: () => boolean;
}

/**
 * Makes the fast path of an offer, for streams and HTTP: it answers lists from data and plain tool calls from
 * the bridge, byte for byte as the SDK would. Loading the SDK takes nearly as long as starting Node; for HTTP
 * it makes a server, a request and a stream for each call, which takes longer than the rest of the call.
 */
export function makeFastPath(offer: Offer, { callTool, knowsFiles }: FastPathContext): FastPath {
  const { contract, identity } = offer;
  const stamp = stamp2026(identity.serverInfo);
  return (request, caller) => {
    if (request.method !== 'tools/call') return fromData(request, caller, offer, knowsFiles);
    const plain = callTool && readCall(request, caller);
    if (!plain || !isCallable(offer, plain.tool)) return undefined;
    const { tool, args, client, notify } = plain;
    const { era, scope, told } = caller;
    return {
      run: (signal) => {
        const answering = callTool({ tool, args, client, notify, contract, scope, told, signal });
        return era === '2026' ? answering.then((result) => ({ ...result, ...stamp })) : answering;
      },
    };
  };
}

/** Returns the message that answers a request: its result, or its failure. */
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
  // The SDK refuses a second handshake.
  if (method === 'initialize' && era !== undefined) return undefined;
  if (method === 'resources/list' && knowsFiles()) return undefined;
  const data = dataAnswer(request, offer);
  return data && { data, run: async () => data };
}

/** Reads a call that asks only for the answer of a tool, and for progress if that can be sent. */
function readCall(
  { params = {} }: JSONRPCRequest,
  { era, client, notifyOf }: FastPathCaller,
): Pick<ToolCall, 'tool' | 'args' | 'client' | 'notify'> | undefined {
  const { name, arguments: args = {}, _meta: meta = {} } = params;
  if (era === undefined || typeof name !== 'string' || !isRecord(args)) return undefined;
  if (!hasOnly(params, fields.call)) return undefined;
  if (era === '2026') {
    return is2026Claim(meta) ? { tool: name, args, client: clientIn(meta), notify: undefined } : undefined;
  }
  const { progressToken: token } = meta;
  if (!hasOnly(meta, fields.meta)) return undefined;
  if (token === undefined) return { tool: name, args, client, notify: undefined };
  return notifyOf && { tool: name, args, client, notify: notifyOf(token) };
}

const fields = {
  call: new Set(['name', 'arguments', '_meta']),
  meta: new Set(['progressToken']),
} as const;

function hasOnly(value: object, known: ReadonlySet<string>): boolean {
  return Object.keys(value).every((key) => known.has(key));
}

/** Answers first requests from data, byte for byte as the SDK would; undefined: only the SDK should judge. */
export function dataAnswer({ method, params }: JSONRPCRequest, offer: Offer): Result | undefined {
  const { _meta: meta = {}, ...rest } = params ?? {};
  const { progressToken, ...claim } = meta;
  if (Object.keys(claim).length === 0) return answer2025(method, rest, offer);
  return is2026Claim(claim) && Object.keys(rest).length === 0 ? answer2026(method, offer) : undefined;
}

function answer2025(method: string, rest: Record<string, unknown>, offer: Offer): Result | undefined {
  if (method === 'initialize') {
    const { protocolVersion, capabilities, clientInfo, ...others } = rest;
    const known = revisions.has(protocolVersion) && areUsual(capabilities) && isImplementation(clientInfo);
    return known && Object.keys(others).length === 0 ? { protocolVersion, ...offer.identity } : undefined;
  }
  if (Object.keys(rest).length > 0) return undefined;
  if (method === 'ping') return {};
  return listOf(method, offer);
}

function answer2026(method: string, offer: Offer): Result | undefined {
  const { serverInfo, ...identity } = offer.identity;
  const { resultType, _meta } = stamp2026(serverInfo);
  const told = { resultType, ttlMs: 0, cacheScope: 'private', _meta };
  if (method === 'server/discover') return { supportedVersions: [revision2026], ...identity, ...told };
  const list = listOf(method, offer);
  return list && { ...list, ...told };
}

/** Returns the members that every result of the 2026 revision has. */
function stamp2026(serverInfo: Offer['identity']['serverInfo']) {
  return { resultType: 'complete', _meta: { [serverKey]: serverInfo } } as const;
}

const serverKey = 'io.modelcontextprotocol/serverInfo';

/** Returns a list that needs no bridge, if the capability is offered. */
function listOf(method: string, { identity, tools, prompts, resourceTemplates }: Offer): Result | undefined {
  const { capabilities } = identity;
  if (method === 'tools/list') return { tools };
  if (method === 'prompts/list') return capabilities.prompts && { prompts: prompts.map(promptTold) };
  if (method === 'resources/templates/list') return capabilities.resources && { resourceTemplates };
  // No file is known before the first call; the caller checks this.
  return method === 'resources/list' ? capabilities.resources && { resources: [] } : undefined;
}
