import { LspanError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { quotePath } from '../core/wording/quote-path.ts';
import { codeOf } from './disk/file-system.ts';

/** The error if another program changed files of the plan. */
export function changedMeanwhile(paths: readonly string[], candidates?: readonly unknown[]): LspanError {
  const { files: most } = limits.named;
  const names = paths.slice(0, most).map(quotePath).join(', ');
  const more = paths.length > most ? ` and ${paths.length - most} more` : '';
  return new LspanError('stale', `Changed since this was planned: ${names}${more}. Nothing was applied.`, {
    nextStep: 'Read what is there now, and make the change anew.',
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
      `Somebody else changed the same folders meanwhile (${code}). Nothing was applied.`,
      {
        cause: thrown,
        nextStep: 'Call again, so that the change is worked out anew.',
      },
    );
  const why = (code && reasons[code]) ?? 'the system refused to write';
  return new LspanError('refused', `Nothing was applied: ${why}${code ? ` (${code})` : ''}.`, {
    cause: thrown,
    nextStep: 'Put that right and call again.',
  });
}

/** Codes for an entry that appeared or disappeared a moment ago. */
const racing: ReadonlySet<string> = new Set(['ENOENT', 'EEXIST', 'ENOTEMPTY', 'ENOTDIR', 'EISDIR', 'ELOOP']);

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EACCES: 'a file or folder may not be written to',
  EPERM: 'a file or folder may not be written to',
  EROFS: 'the file system is read-only',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EXDEV: 'it would move a file to another file system',
  EBUSY: 'a file is in use',
  ENAMETOOLONG: 'a name is too long',
  EIO: 'the disk reported a fault',
};

/** The error if a change was begun, and could neither be finished nor undone. */
export function halfDone(id: string, thrown: unknown, file: string): LspanError {
  const code = codeOf(thrown);
  const why = code ? ` (${code})` : '';
  return new LspanError('internal', `The edit ${id} is half done and could not be taken back now${why}.`, {
    cause: thrown,
    retryable: true,
    nextStep: `Call again: lspan takes it back before anything else is changed. What it needs for that is in ${file}`,
  });
}

/** The message about files that were not restored, because another program changed them. */
export function keptAsChanged(id: string, paths: readonly string[], file: string): string {
  const names = paths.slice(0, limits.named.files).map(quotePath).join(', ');
  return `The edit ${id} was taken back, but for what somebody else has changed since: ${names}. The former content is in ${file}`;
}
