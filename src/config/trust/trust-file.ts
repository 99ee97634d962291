import { closeSync, constants, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { isRecord } from '../../core/runtime/json.ts';
import { ownershipFault } from '../../platform/files/file-owner.ts';
import { makePrivateFolder } from '../../platform/files/private-folder.ts';
import { realFile } from '../../platform/files/real-file.ts';
import { parseFile } from '../parse-file.ts';
import { readOwnFile } from '../read-own-file.ts';

/** The trust records of a file, or why the file is not believed. */
export type TrustReading = { readonly records: readonly TrustRecord[]; readonly wrong?: string };

/** Returns the path of the file that records what the user trusts. */
export function trustFileIn(stateFolder: string): string {
  return path.join(stateFolder, 'trust.json');
}

/** Reads the trust file. If another user could have written it, or it is malformed, trustsNothing is trusted. */
export function readTrustFile(file: string): TrustReading {
  const folder = realFile(path.dirname(file));
  if (folder === undefined || realFile(file) === undefined) return { records: [] };
  const open = ownershipFault(folder.stats, 0o022);
  if (open !== undefined) return trustsNothing(`${path.dirname(file)} is ignored: ${open}`);
  const reading = readOwnFile(file, { followLinks: false, maxBytes: limits.trust.store, privateOnly: true });
  if ('wrong' in reading) return trustsNothing(`${file} is ignored: ${reading.wrong}`);
  const parsed = parseFile(file, reading.text);
  if ('wrong' in parsed) return trustsNothing(`${file} is ignored: ${parsed.wrong}`);
  const records = readTrustRecords(parsed.value);
  return records ? { records } : trustsNothing(`${file} is ignored: it is not in lspan's format.`);
}

/** Adds a record; it replaces an earlier one of the same folder. */
export function writeTrust(file: string, record: TrustRecord): void {
  change(file, (records) => [...records.filter(({ root }) => root !== record.root), record]);
}

/** Removes the record of a folder. */
export function removeTrust(file: string, root: string): void {
  change(file, (records) => records.filter((record) => record.root !== root));
}

function trustsNothing(why: string): TrustReading {
  return { records: [], wrong: `Nothing is trusted, because ${why}` };
}

/** Reads, edits and replaces the file atomically: the new file, which only one process can create, is the lock. */
function change(file: string, edit: (records: readonly TrustRecord[]) => readonly TrustRecord[]): void {
  const draft = `${file}.new`;
  const descriptor = createDraft(draft);
  let done = false;
  try {
    const { records, wrong } = readTrustFile(file);
    if (wrong !== undefined) throw notWritten(wrong);
    const text = `${JSON.stringify({ version: 1, roots: edit(records) }, null, 1)}\n`;
    if (Buffer.byteLength(text) > limits.trust.store) throw notWritten(`${file} is full: revoke something.`);
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
    renameSync(draft, file);
    done = true;
  } finally {
    closeSync(descriptor);
    if (!done) rmSync(draft, { force: true });
  }
}

function createDraft(draft: string): number {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  try {
    makePrivateFolder(path.dirname(draft));
    const left = realFile(draft)?.stats.mtimeMs;
    // It is older than any write takes, so its writer is gone.
    if (left !== undefined && Date.now() - left > limits.trust.writing) rmSync(draft);
    return openSync(draft, O_WRONLY | O_CREAT | O_EXCL, 0o600);
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown';
    throw code === 'EEXIST' ? beingWritten(draft) : notWritten(`${draft} cannot be written (${code}).`);
  }
}

function notWritten(why: string): LspanError {
  return new LspanError('refused', `The trust was not changed. ${why}`, {
    nextStep: 'Fix that, or remove the file: then nothing is trusted.',
  });
}

function beingWritten(draft: string): LspanError {
  const seconds = limits.trust.writing / 1000;
  return new LspanError('busy', `Another lspan is writing ${draft}. Try again in ${seconds} s.`, {
    nextStep: `Try again in ${seconds} s.`,
  });
}

/** The trust in one folder: the servers that may run its content, and the hashes of that content. */
export interface TrustRecord {
  readonly root: string;
  readonly when: string;
  readonly servers: readonly TrustedServer[];
}

interface TrustedServer {
  readonly id: string;
  /** Path and SHA-256 of each file to which the trust is bound. */
  readonly files: readonly (readonly [string, string])[];
}

/**
 * Returns the records of a trust file, `undefined` unless it has exactly the form that lspan writes. Validated by
 * hand, so that programs that only use the LSP client need not load a schema library.
 */
export function readTrustRecords(value: unknown): readonly TrustRecord[] | undefined {
  if (!hasFields(value, ['version', 'roots']) || value.version !== 1) return undefined;
  return isListOf(value.roots, isTrustRecord) && value.roots.length <= limits.trust.roots
    ? value.roots
    : undefined;
}

function isTrustRecord(value: unknown): value is TrustRecord {
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

/** True for an object with exactly these fields. */
function hasFields<K extends string>(value: unknown, fields: readonly K[]): value is Record<K, unknown> {
  return isRecord(value) && Object.keys(value).sort().join() === fields.toSorted().join();
}

function isListOf<T>(value: unknown, isOne: (one: unknown) => one is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isOne);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
