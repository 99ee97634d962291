import { existsSync, readFileSync } from 'node:fs';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { resultOrError } from '../../core/runtime/result.ts';

/** Returns the paths that a file of lspan's own lists, one JSON string per line; none if there is no such file. */
export function listedPaths(file: string): readonly string[] {
  // An error costs more than to look, and after most answers there is no such file.
  if (!existsSync(file)) return [];
  const text = resultOrError(() => readFileSync(file, 'utf8'));
  if (text instanceof LspanError) return [];
  const lines = [...new Set(text.split('\n'))].filter((line) => line !== '').slice(0, limits.unreadFiles);
  return lines.flatMap((line) => {
    const path: unknown = resultOrError(() => JSON.parse(line));
    return typeof path === 'string' ? [path] : [];
  });
}
