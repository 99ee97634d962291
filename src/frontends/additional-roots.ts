import path from 'node:path';
import { LspanError } from '../core/errors.ts';
import { isWithin } from '../platform/files/is-within.ts';
import { realFile } from '../platform/files/real-file.ts';

/**
 * The folders of `--additional-root` as real paths. What is not there, or holds a whole disk or home directory, is
 * refused before anything starts: it would open far more than was meant.
 */
export function additionalRoots(
  given: readonly string[],
  { cwd, home }: { readonly cwd: string; readonly home: string },
): readonly string[] {
  return [...new Set(given.map((folder) => additionalRoot(path.resolve(cwd, folder), home)))];
}

function additionalRoot(folder: string, home: string): string {
  const found = realFile(folder);
  if (!found?.stats.isDirectory()) throw refused(folder, 'does not exist or is no folder that can be read');
  const isDisk = path.dirname(found.path) === found.path;
  const realHome = home === '' ? undefined : (realFile(home)?.path ?? path.resolve(home));
  if (isDisk || (realHome !== undefined && isWithin(found.path, realHome)))
    throw refused(folder, 'holds a whole disk or your home directory');
  return found.path;
}

function refused(folder: string, why: string): LspanError {
  const nextStep = 'Give --additional-root an existing folder that holds what is meant and no more.';
  return new LspanError('invalid_input', `The additional root ${folder} ${why}. ${nextStep}`, { nextStep });
}
