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

/** What the user has trusted, or why the file that says so cannot be believed. */
export type TrustReading = { readonly records: readonly TrustRecord[]; readonly wrong?: string };

/** The file in which lspan remembers what the user has trusted. */
export function trustFileIn(stateFolder: string): string {
  return path.join(stateFolder, 'trust.json');
}

/** Reads the file. One that somebody else could have written, or that is malformed, trusts nothing and says why. */
export function readTrustFile(file: string): TrustReading {
  const folder = realFile(path.dirname(file));
  if (folder === undefined || realFile(file) === undefined) return { records: [] };
  const open = ownershipFault(folder.stats, 0o022);
  if (open !== undefined) return nothing(`${path.dirname(file)} is not believed: ${open}`);
  const reading = readOwnFile(file, { followLinks: false, most: limits.trust.store, onlyMine: true });
  if ('wrong' in reading) return nothing(`${file} is not believed: ${reading.wrong}`);
  const parsed = parseFile(file, reading.text);
  if ('wrong' in parsed) return nothing(`${file} is not believed: ${parsed.wrong}`);
  const records = readTrustRecords(parsed.value);
  return records
    ? { records }
    : nothing(`${file} is not believed: it does not have the form that lspan writes.`);
}

/** Remembers a record in place of an earlier one of the same folder. */
export function writeTrust(file: string, record: TrustRecord): void {
  change(file, (records) => [...records.filter(({ root }) => root !== record.root), record]);
}

/** Forgets a folder. */
export function removeTrust(file: string, root: string): void {
  change(file, (records) => records.filter((record) => record.root !== root));
}

function nothing(why: string): TrustReading {
  return { records: [], wrong: `Nothing is trusted, because ${why}` };
}

/** Reads, changes and replaces the file as one step: the new file, which only one can make, is the lock. */
function change(file: string, edit: (records: readonly TrustRecord[]) => readonly TrustRecord[]): void {
  const fresh = `${file}.new`;
  const descriptor = openFresh(fresh);
  let done = false;
  try {
    const { records, wrong } = readTrustFile(file);
    if (wrong !== undefined) throw notWritten(wrong);
    const text = `${JSON.stringify({ version: 1, roots: edit(records) }, null, 1)}\n`;
    if (Buffer.byteLength(text) > limits.trust.store) throw notWritten(`${file} is full: revoke something.`);
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
    renameSync(fresh, file);
    done = true;
  } finally {
    closeSync(descriptor);
    if (!done) rmSync(fresh, { force: true });
  }
}

function openFresh(fresh: string): number {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  try {
    makePrivateFolder(path.dirname(fresh));
    const left = realFile(fresh)?.stats.mtimeMs;
    // Older than any write takes: whoever made it is gone.
    if (left !== undefined && Date.now() - left > limits.trust.writing) rmSync(fresh);
    return openSync(fresh, O_WRONLY | O_CREAT | O_EXCL, 0o600);
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown';
    throw code === 'EEXIST' ? beingWritten(fresh) : notWritten(`${fresh} cannot be written (${code}).`);
  }
}

function notWritten(why: string): LspanError {
  return new LspanError('refused', `The trust was not changed. ${why}`, {
    nextStep: 'Put that right, or remove the file: then nothing is trusted.',
  });
}

function beingWritten(fresh: string): LspanError {
  const seconds = limits.trust.writing / 1000;
  return new LspanError('busy', `Another lspan is writing ${fresh}. Try again in ${seconds} s.`, {
    nextStep: `Try again in ${seconds} s.`,
  });
}

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

/** An object with these fields and no other. */
function hasFields<K extends string>(value: unknown, fields: readonly K[]): value is Record<K, unknown> {
  return isRecord(value) && Object.keys(value).sort().join() === fields.toSorted().join();
}

function isListOf<T>(value: unknown, isOne: (one: unknown) => one is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isOne);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
