import { limits } from '../../core/limits.ts';

/** What the user allowed for one folder: which servers may run its content, and what that content was. */
export interface TrustRecord {
  readonly root: string;
  readonly when: string;
  readonly servers: readonly TrustedServer[];
}

interface TrustedServer {
  readonly id: string;
  /** Path and SHA-256 of each file that the trust is bound to. */
  readonly files: readonly (readonly [string, string])[];
}

/**
 * The records of a trust file; none where it is not exactly of the form that lspan writes. It is told by hand, because
 * who uses only the client of language servers need not load a library of schemas for it.
 */
export function readTrustRecords(value: unknown): readonly TrustRecord[] | undefined {
  if (!hasFields(value, ['version', 'roots']) || value.version !== 1) return undefined;
  return isListOf(value.roots, isRecord) && value.roots.length <= limits.trust.roots
    ? value.roots
    : undefined;
}

function isRecord(value: unknown): value is TrustRecord {
  if (!hasFields(value, ['root', 'when', 'servers'])) return false;
  const { root, when, servers } = value;
  return isText(root) && root !== '' && isText(when) && isListOf(servers, isServer);
}

function isServer(value: unknown): value is TrustedServer {
  return hasFields(value, ['id', 'files']) && isText(value.id) && isListOf(value.files, isBound);
}

function isBound(value: unknown): value is readonly [string, string] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [file, hash] = value;
  return isText(file) && isText(hash) && /^[0-9a-f]{64}$/.test(hash);
}

/** An object with these fields and no other. */
function hasFields<K extends string>(value: unknown, fields: readonly K[]): value is Record<K, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.keys(value).sort().join() === fields.toSorted().join();
}

function isListOf<T>(value: unknown, isOne: (one: unknown) => one is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isOne);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
