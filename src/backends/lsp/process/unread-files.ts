import { readFileSync } from 'node:fs';
import path from 'node:path';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import { resultOrError } from '../../../core/runtime/result.ts';
import { unreadFiles } from '../../../servers/node-guard.ts';

/** Returns the files outside that the guard of a server let it not read, as it has told in its temporary folder. */
export function filesUnread(temporary: string): readonly string[] {
  const told = resultOrError(() => readFileSync(path.join(temporary, unreadFiles), 'utf8'));
  if (told instanceof LspanError) return [];
  const lines = told.split('\n').filter((line) => line !== '');
  return [...new Set(lines)].slice(0, limits.unreadFiles).flatMap((line) => {
    const file: unknown = resultOrError(() => JSON.parse(line));
    return typeof file === 'string' ? [file] : [];
  });
}
