import type { JSONRPCRequest, Result } from '@modelcontextprotocol/server';
import { isRecord } from '../../../core/runtime/json.ts';
import { type Offer, promptTold } from '../offer.ts';

/**
 * What a client asks first, answered from data, byte for byte as the SDK would. Nothing means that the
 * request has something about it that only the SDK should judge.
 */
export function dataAnswer({ method, params }: JSONRPCRequest, offer: Offer): Result | undefined {
  const { _meta: meta = {}, ...rest } = params ?? {};
  const { progressToken, ...claim } = meta;
  if (Object.keys(claim).length === 0) return plainAnswer(method, rest, offer);
  return isModernClaim(claim) && Object.keys(rest).length === 0 ? modernAnswer(method, offer) : undefined;
}

/** The revisions that open with `initialize`. */
export const revisions: ReadonlySet<unknown> = new Set([
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
]);

function plainAnswer(method: string, rest: Record<string, unknown>, offer: Offer): Result | undefined {
  if (method === 'initialize') {
    const { protocolVersion, capabilities, clientInfo, ...others } = rest;
    const known = revisions.has(protocolVersion) && areUsual(capabilities) && isImplementation(clientInfo);
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
export const modern = '2026-07-28';
const revisionKey = 'io.modelcontextprotocol/protocolVersion';
const clientKey = 'io.modelcontextprotocol/clientInfo';
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';
const serverKey = 'io.modelcontextprotocol/serverInfo';

function modernAnswer(method: string, offer: Offer): Result | undefined {
  const { serverInfo, ...identity } = offer.identity;
  const { resultType, _meta } = modernTold(serverInfo);
  const told = { resultType, ttlMs: 0, cacheScope: 'private', _meta };
  if (method === 'server/discover') return { supportedVersions: [modern], ...identity, ...told };
  const list = listOf(method, offer);
  return list && { ...list, ...told };
}

/** What every answer of this revision says beside what it is about. */
export function modernTold(serverInfo: Offer['identity']['serverInfo']) {
  return { resultType: 'complete', _meta: { [serverKey]: serverInfo } } as const;
}

/** The name of the client that a request of this revision says it is from. */
export function clientIn(claim: Readonly<Record<string, unknown>>): string | undefined {
  const client = claim[clientKey];
  return isRecord(client) && typeof client.name === 'string' ? client.name : undefined;
}

/** The revision that the `_meta` of a request names. */
export function claimedRevision(meta: unknown): string | undefined {
  const claimed = isRecord(meta) ? meta[revisionKey] : undefined;
  return typeof claimed === 'string' ? claimed : undefined;
}

/** Whether the `_meta` of a request says no more and no less than this revision asks for. */
export function isModernClaim(claim: Readonly<Record<string, unknown>>): boolean {
  return (
    claim[revisionKey] === modern &&
    isImplementation(claim[clientKey]) &&
    areUsual(claim[capabilitiesKey]) &&
    Object.keys(claim).length === 3
  );
}

function isImplementation(value: unknown): boolean {
  if (!isRecord(value) || value.name === undefined || value.version === undefined) return false;
  return Object.entries(value).every(([name, one]) => words.has(name) && typeof one === 'string');
}

const words: ReadonlySet<string> = new Set(['name', 'version', 'title', 'description', 'websiteUrl']);

/** Whether the capabilities of a client have the shapes that they usually have; the SDK judges others. */
function areUsual(capabilities: unknown): boolean {
  if (!isRecord(capabilities)) return false;
  if (Object.keys(capabilities).length === 0) return true;
  const { extensions = {}, experimental = {}, ...others } = capabilities;
  const isFree = (value: unknown) => isRecord(value) && Object.values(value).every(isRecord);
  return isFree(extensions) && isFree(experimental) && isUsual(others);
}

/** Objects in objects, and a few flags. */
function isUsual(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return Object.entries(value).every(([name, one]) =>
    flags.has(name) ? typeof one === 'boolean' : name !== '__proto__' && isUsual(one),
  );
}

const flags: ReadonlySet<string> = new Set(['listChanged', 'applyDefaults']);
