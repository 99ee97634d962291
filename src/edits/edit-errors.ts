import { LspanError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { quotePath } from '../core/wording/quote-path.ts';
import { shellWord } from '../core/wording/shell-words.ts';
import { closedFolder } from '../platform/files/folder-facts.ts';
import { codeOf } from './disk/file-system.ts';

/** The error if another program changed files of the plan. */
export function changedMeanwhile(paths: readonly string[], candidates?: readonly unknown[]): LspanError {
  const { files: most } = limits.named;
  const names = paths.slice(0, most).map(quotePath).join(', ');
  const more = paths.length > most ? ` and ${paths.length - most} more` : '';
  return new LspanError('stale', `Changed since this was planned: ${names}${more}. Nothing was applied.`, {
    nextStep: 'Read the current files and make the change again.',
    ...(candidates && { candidates }),
  });
}

/** The error if the change was not made, and everything is as before. */
export function notApplied(thrown: unknown): LspanError {
  if (thrown instanceof LspanError) return thrown;
  const code = codeOf(thrown);
  if (code !== undefined && racing.has(code))
    return new LspanError(
      'stale',
      `Another program changed the same folders (${code}). Nothing was applied.`,
      {
        cause: thrown,
        nextStep: 'Call again to compute the change again.',
      },
    );
  const why = (code && reasons[code]) ?? 'the system refused to write';
  const where = pathOf(thrown);
  const facts = [...(code ? [code] : []), ...(where ? [quotePath(where)] : [])].join(', ');
  return new LspanError('refused', `Nothing was applied: ${why}${facts && ` (${facts})`}.`, {
    cause: thrown,
    nextStep: 'Fix that and call again.',
  });
}

/** The error if the folder with the records of edits may not be read. */
export function journalsClosed(folder: string): LspanError {
  const { path, mayOpen } = closedFolder(folder) ?? { path: folder, mayOpen: true };
  const elsewhere = 'Set XDG_STATE_HOME to a folder that you can write.';
  return new LspanError(
    'refused',
    `The records of edits cannot be read: you may not open ${quotePath(path)}.`,
    {
      nextStep: mayOpen ? `Run \`chmod 700 ${shellWord(path)}\`.` : elsewhere,
    },
  );
}

/** Returns the file or folder about which the system complained. */
function pathOf(thrown: unknown): string | undefined {
  const { path } = thrown instanceof Error && 'path' in thrown ? thrown : {};
  return typeof path === 'string' ? path : undefined;
}

/** Codes for an entry that appeared or disappeared a moment ago. */
const racing: ReadonlySet<string> = new Set(['ENOENT', 'EEXIST', 'ENOTEMPTY', 'ENOTDIR', 'EISDIR', 'ELOOP']);

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'a file or folder is not writable',
  EPERM: 'a file or folder is not writable',
  EROFS: 'the file system is read-only',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EXDEV: 'it would move a file to another file system',
  EBUSY: 'a file is in use',
  ENAMETOOLONG: 'a name is too long',
  EIO: 'the disk reported an error',
};

/** The error if a change was begun, and could neither be finished nor undone. */
export function halfDone(id: string, thrown: unknown, file: string): LspanError {
  const code = codeOf(thrown);
  const why = code ? ` (${code})` : '';
  return new LspanError('internal', `The edit ${id} is incomplete and could not be undone${why}.`, {
    cause: thrown,
    retryable: true,
    nextStep: `Call again: lspan undoes it before it changes anything else. Its journal is ${file}`,
  });
}

/** The message about files that were not restored, because another program changed them. */
export function keptAsChanged(id: string, paths: readonly string[], file: string): string {
  const names = paths.slice(0, limits.named.files).map(quotePath).join(', ');
  return `The edit ${id} was undone, except files that another program has changed since: ${names}. The old content is in ${file}`;
}
