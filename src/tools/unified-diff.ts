import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { PlannedFile } from '../edits/plan.ts';

/** What a plan changes in texts, as a unified diff; `show` says how a path is written. */
export function unifiedDiff(files: readonly PlannedFile[], show: (path: string) => string): string {
  return files.map((file) => diffOf(file, show)).join('');
}

function diffOf({ path, newPath, before, after }: PlannedFile, show: (path: string) => string): string {
  if (before === after) return '';
  const [from, to] = [
    before === undefined ? '/dev/null' : show(path),
    after === undefined ? '/dev/null' : show(newPath ?? path),
  ];
  const patch = (stripTrailingCr: boolean) =>
    createTwoFilesPatch(from, to, before ?? '', after ?? '', undefined, undefined, {
      context,
      headerOptions: FILE_HEADERS_ONLY,
      stripTrailingCr,
    });
  // The line endings of a CRLF file would stand out at every line; they are shown where they are what changes.
  const plain = patch(true);
  return plain.includes('\n@@ ') ? plain : patch(false);
}

/** Agents pay for every line, and know the file. */
const context = 1;
