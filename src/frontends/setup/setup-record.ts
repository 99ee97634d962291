import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { isRecord, list } from '../../core/runtime/json.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import { readPrivateFile, removePrivateFile } from '../../platform/files/private-file.ts';
import { fillPrivateFile } from '../../platform/files/private-folder.ts';
import type { TextChange } from './formats/text-change.ts';

/** What lspan has done to one file of a client, so that it can be taken back. Contains no other text of the file. */
export interface SetupRecord {
  readonly file: string;
  /** Hash of the text that lspan has left. */
  readonly after: string;
  /** All changes since lspan first touched the file. */
  readonly changes: readonly TextChange[];
  readonly madeFile: boolean;
  readonly madeFolders: readonly string[];
  /** Objects around the entry that were missing. */
  readonly around: number;
}

/** Returns the hash of a text, by which it is recognised. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Reads the record of a file; `undefined` if there is none that can be believed. */
export function readSetupRecord(stateFolder: string, file: string): SetupRecord | undefined {
  const place = recordFile(stateFolder, file);
  if (!existsSync(place)) return undefined;
  const text = resultOrError(() => readPrivateFile(place));
  if (text instanceof LspanError) return undefined;
  const value = resultOrError((): unknown => JSON.parse(text));
  return isSetupRecord(value) && value.file === file ? value : undefined;
}

/** Writes the record of a file; it replaces an earlier one. */
export function writeSetupRecord(stateFolder: string, record: SetupRecord): void {
  const text = `${JSON.stringify(record, null, 1)}\n`;
  const written = resultOrError(() => fillPrivateFile(recordFile(stateFolder, record.file), { text }));
  if (!(written instanceof LspanError)) return;
  throw new LspanError(
    'refused',
    `Nothing was written: lspan cannot note in ${stateFolder} how to take the change back.`,
    { nextStep: 'Make that folder writable, or set XDG_STATE_HOME.', cause: written.cause },
  );
}

/** Forgets a file. */
export function removeSetupRecord(stateFolder: string, file: string): void {
  removePrivateFile(recordFile(stateFolder, file));
}

function recordFile(stateFolder: string, file: string): string {
  return path.join(stateFolder, 'setup', `${hashOf(file).slice(0, 32)}.json`);
}

function isSetupRecord(value: unknown): value is SetupRecord {
  if (!isRecord(value)) return false;
  const { file, after, changes, madeFile, madeFolders, around } = value;
  const isText = (one: unknown) => typeof one === 'string';
  return (
    isText(file) &&
    isText(after) &&
    typeof madeFile === 'boolean' &&
    typeof around === 'number' &&
    Array.isArray(madeFolders) &&
    madeFolders.every(isText) &&
    Array.isArray(changes) &&
    list(changes).every(isTextChange)
  );
}

function isTextChange(value: unknown): value is TextChange {
  if (!isRecord(value)) return false;
  return (
    typeof value.at === 'number' && typeof value.removed === 'string' && typeof value.inserted === 'string'
  );
}
