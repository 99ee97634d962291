import type { JSONRPCRequest, Result } from '@modelcontextprotocol/server';
import type { Offer } from './offer.ts';
import { promptTold } from './prompt-told.ts';

/**
 * What a client asks first, answered from data, byte for byte as the SDK would. Nothing means that the
 * request has something about it that only the SDK should judge.
 */
export function openingAnswer({ method, params }: JSONRPCRequest, offer: Offer): Result | undefined {
  const { _meta: meta = {}, ...rest } = params ?? {};
  const { progressToken, ...claim } = meta;
  if (Object.keys(claim).length === 0) return plainAnswer(method, rest, offer);
  return isModernClaim(claim) && Object.keys(rest).length === 0 ? modernAnswer(method, offer) : undefined;
}

/** The revisions that open with `initialize`. */
const revisions: ReadonlySet<unknown> = new Set(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']);

function plainAnswer(method: string, rest: Record<string, unknown>, offer: Offer): Result | undefined {
  if (method === 'initialize') {
    const { protocolVersion, capabilities, clientInfo, ...others } = rest;
    const known = revisions.has(protocolVersion) && isRecord(capabilities) && isImplementation(clientInfo);
    return known && Object.keys(others).length === 0 ? { protocolVersion, ...offer.identity } : undefined;
  }
  if (Object.keys(rest).length > 0) return undefined;
  if (method === 'ping') return {};
  return listOf(method, offer);
}

/** A list that is told without asking anybody, where what it lists is offered. */
function listOf(method: string, { identity, tools, prompts, resourceTemplates }: Offer): Result | undefined {
  const { capabilities } = identity;
  if (method === 'tools/list') return { tools };
  if (method === 'prompts/list') return capabilities.prompts && { prompts: prompts.map(promptTold) };
  if (method === 'resources/templates/list') return capabilities.resources && { resourceTemplates };
  // Nothing is known of any file before the first call; the caller sees to that.
  return method === 'resources/list' ? capabilities.resources && { resources: [] } : undefined;
}

/** The revision whose requests each say in `_meta` who asks, and which has no handshake. */
const modern = '2026-07-28';
const key = (name: string) => `io.modelcontextprotocol/${name}`;

function modernAnswer(method: string, offer: Offer): Result | undefined {
  const { serverInfo, ...identity } = offer.identity;
  const told = {
    resultType: 'complete',
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { [key('serverInfo')]: serverInfo },
  };
  if (method === 'server/discover') return { supportedVersions: [modern], ...identity, ...told };
  const list = listOf(method, offer);
  return list && { ...list, ...told };
}

function isModernClaim(claim: Record<string, unknown>): boolean {
  const {
    [key('protocolVersion')]: revision,
    [key('clientInfo')]: client,
    [key('clientCapabilities')]: capabilities,
    ...others
  } = claim;
  const known = revision === modern && isImplementation(client) && isRecord(capabilities);
  return known && Object.keys(others).length === 0;
}

function isImplementation(value: unknown): boolean {
  return isRecord(value) && typeof value.name === 'string' && typeof value.version === 'string';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
