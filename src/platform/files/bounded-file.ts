import { appendFileSync, renameSync, statSync } from 'node:fs';
import { resultOrError } from '../../core/runtime/result.ts';

/**
 * Appends to a file of lspan's own that never grows beyond twice a size: the older part is in a file beside it. A full
 * disk is no reason to fail.
 */
export function appendBounded(file: string, line: string, most: number): void {
  resultOrError(() => {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > most) renameSync(file, `${file}.1`);
    appendFileSync(file, line, { mode: 0o600 });
  });
}
