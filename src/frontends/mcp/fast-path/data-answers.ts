import type { JSONRPCRequest, Result } from '@modelcontextprotocol/server';
import { type Offer, promptTold } from '../offer.ts';
import { areUsual, is2026Claim, isImplementation, revision2026, revisions } from './eras.ts';

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
export function stamp2026(serverInfo: Offer['identity']['serverInfo']) {
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
