import { isRecord, object, text } from '../../../core/runtime/json.ts';

/** The eras of MCP: up to 2025, with a session or (over HTTP) without one, and 2026, which has none. */
export type Era = '2025-session' | '2025-stateless' | '2026';

/** The revisions that open with `initialize`. */
export const revisions: ReadonlySet<unknown> = new Set([
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
]);

/** The revision without a handshake, where `_meta` of each request names the client. */
export const revision2026 = '2026-07-28';

const revisionKey = 'io.modelcontextprotocol/protocolVersion';
const clientKey = 'io.modelcontextprotocol/clientInfo';
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';

type Claim = Readonly<Record<string, unknown>>;

/** True if the `_meta` of a request has exactly the members that the 2026 revision requires. */
export function is2026Claim(claim: Claim): boolean {
  return (
    claim[revisionKey] === revision2026 &&
    isImplementation(claim[clientKey]) &&
    areUsual(claim[capabilitiesKey]) &&
    Object.keys(claim).length === 3
  );
}

/** Returns the client name in the `_meta` of a request of the 2026 revision. */
export function clientIn(claim: Claim): string | undefined {
  return text(object(claim[clientKey]).name);
}

/** Returns the revision that the `_meta` of a request names. */
export function claimedRevision(meta: unknown): string | undefined {
  return text(object(meta)[revisionKey]);
}

/** True if a value describes a client in the usual form. */
export function isImplementation(value: unknown): boolean {
  if (!isRecord(value) || value.name === undefined || value.version === undefined) return false;
  return Object.entries(value).every(([name, one]) => words.has(name) && typeof one === 'string');
}

const words: ReadonlySet<string> = new Set(['name', 'version', 'title', 'description', 'websiteUrl']);

/** True if client capabilities have their usual shapes; the SDK judges others. */
export function areUsual(capabilities: unknown): boolean {
  if (!isRecord(capabilities)) return false;
  if (Object.keys(capabilities).length === 0) return true;
  const { extensions = {}, experimental = {}, ...others } = capabilities;
  const isFree = (value: unknown) => isRecord(value) && Object.values(value).every(isRecord);
  return isFree(extensions) && isFree(experimental) && isUsual(others);
}

/** True for nested objects with a few known flags. */
function isUsual(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return Object.entries(value).every(([name, one]) =>
    flags.has(name) ? typeof one === 'boolean' : name !== '__proto__' && isUsual(one),
  );
}

const flags: ReadonlySet<string> = new Set(['listChanged', 'applyDefaults']);
