import { LspanError } from '../../core/errors.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import { type ClientFile, readClientFile, removeClientFile, writeClientFile } from './client-file.ts';
import type { FileTask } from './file-task.ts';
import { applyChanges, inverted, type TextChange } from './formats/text-change.ts';
import {
  hashOf,
  readSetupRecord,
  removeSetupRecord,
  type SetupRecord,
  writeSetupRecord,
} from './setup-record.ts';

/** A change of one file that is ready to be shown, and then written. */
export interface PreparedFile {
  readonly task: FileTask;
  readonly read: ClientFile;
  readonly changes: readonly TextChange[];
  /** The text afterwards; `undefined` if the file goes. */
  readonly after: string | undefined;
  /** True if an entry of the user's own comes back. */
  readonly restores: boolean;
  readonly write: () => void;
}

/** Where records are kept, and which folder files must not leave. */
export interface PrepareOptions {
  readonly stateFolder: string;
  readonly within: string | undefined;
}

/** Prepares what sets a client up. Throws `refused` for a file that must be left alone, with the place in it. */
export function prepareAddition(task: FileTask, { stateFolder, within }: PrepareOptions): PreparedFile {
  const read = readClientFile(task.file, within);
  const changes = withPlace(task.file, () => task.add(read.text));
  const after = applyChanges(read.text, changes);
  const write = () => {
    // Noted before: a record of a change that was not made is recognised by its hash.
    const record = nextRecord(task, read, { stateFolder, changes, after });
    writeSetupRecord(stateFolder, record);
    const made = writeClientFile(read, after);
    if (made.length > 0)
      writeSetupRecord(stateFolder, { ...record, madeFolders: [...record.madeFolders, ...made] });
  };
  return { task, read, changes, after, restores: false, write };
}

/** Prepares what takes the set-up of a client back: to the bytes before it, if nothing else has changed since. */
export function prepareRemoval(task: FileTask, { stateFolder, within }: PrepareOptions): PreparedFile {
  const read = readClientFile(task.file, within);
  const record = readSetupRecord(stateFolder, read.real);
  const isOurs = record !== undefined && read.bytes !== undefined && record.after === hashOf(read.text);
  const changes = isOurs
    ? inverted(record.changes)
    : withPlace(task.file, () => task.remove(read.text, record?.around ?? 0));
  const text = applyChanges(read.text, changes);
  const isEmpty = text.trim() === '' || text.replace(/\s/g, '') === '{}';
  const goes = (record?.madeFile ?? task.isOwnFile ?? false) && isEmpty && changes.length > 0 && !read.isLink;
  const after = goes ? undefined : text;
  const write = () => {
    if (after === undefined) removeClientFile(read, record?.madeFolders ?? []);
    else writeClientFile(read, after);
    removeSetupRecord(stateFolder, read.real);
  };
  const restores = isOurs && after !== undefined && task.remove(after, 0).length > 0;
  return { task, read, changes, after, restores, write };
}

/** Adds changes to what is known of a file, if lspan has touched it before. */
function nextRecord(
  task: FileTask,
  { real, bytes, text }: ClientFile,
  { stateFolder, changes, after }: { stateFolder: string; changes: readonly TextChange[]; after: string },
): SetupRecord {
  const earlier = readSetupRecord(stateFolder, real);
  const hash = hashOf(after);
  if (earlier === undefined || task.remove(text, 0).length === 0) {
    const madeFile = bytes === undefined;
    return { file: real, after: hash, changes, madeFile, madeFolders: [], around: task.around(text) };
  }
  if (earlier.after === hashOf(text))
    return { ...earlier, after: hash, changes: [...earlier.changes, ...changes] };
  // Somebody has changed the file since, so the bytes before lspan are not known: the entry is taken out instead.
  return { ...earlier, after: '', changes: [] };
}

/** Puts the name of the file before the line and column of an error. */
function withPlace<T>(file: string, find: () => T): T {
  const found = resultOrError(find);
  if (!(found instanceof LspanError)) return found;
  if (found.code !== 'refused') throw found;
  throw new LspanError('refused', `${file}:${/^\d/.test(found.message) ? '' : ' '}${found.message}`, {
    nextStep: found.nextStep ?? '',
  });
}
