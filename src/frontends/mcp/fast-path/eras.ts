import { isRecord, object, text } from '../../../core/runtime/json.ts';

/**
 * The eras of MCP: the revisions of 2025 and before, which open a session, or over HTTP may go without one, and that of
 * 2026, which has none.
 */
export type Era = '2025-session' | '2025-stateless' | '2026';

/** The revisions that open with `initialize`. */
export const revisions: ReadonlySet<unknown> = new Set([
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
]);

/** The revision whose requests each say in `_meta` who asks, and which has no handshake. */
export const revision2026 = '2026-07-28';

const revisionKey = 'io.modelcontextprotocol/protocolVersion';
const clientKey = 'io.modelcontextprotocol/clientInfo';
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';

type Claim = Readonly<Record<string, unknown>>;

/** Whether the `_meta` of a request says no more and no less than the 2026 revision asks for. */
export function is2026Claim(claim: Claim): boolean {
  return (
    claim[revisionKey] === revision2026 &&
    isImplementation(claim[clientKey]) &&
    areUsual(claim[capabilitiesKey]) &&
    Object.keys(claim).length === 3
  );
}

/** The name of the client that a request of the 2026 revision says it is from. */
export function clientIn(claim: Claim): string | undefined {
  return text(object(claim[clientKey]).name);
}

/** The revision that the `_meta` of a request names. */
export function claimedRevision(meta: unknown): string | undefined {
  return text(object(meta)[revisionKey]);
}

/** Whether a value names a client as clients usually do. */
export function isImplementation(value: unknown): boolean {
  if (!isRecord(value) || value.name === undefined || value.version === undefined) return false;
  return Object.entries(value).every(([name, one]) => words.has(name) && typeof one === 'string');
}

const words: ReadonlySet<string> = new Set(['name', 'version', 'title', 'description', 'websiteUrl']);

/** Whether the capabilities of a client have the shapes that they usually have; the SDK judges others. */
export function areUsual(capabilities: unknown): boolean {
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
