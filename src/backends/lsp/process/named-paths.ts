import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { LspanError } from '../../../core/errors.ts';
import { isRecord } from '../../../core/runtime/json.ts';
import { resultOrError } from '../../../core/runtime/result.ts';

/** Returns the absolute paths in settings, which are keys or values and may be `file:` URIs; never a whole disk. */
export function absolutePathsIn(settings: unknown): readonly string[] {
  return textsIn(settings)
    .flatMap(pathOf)
    .filter((file) => path.isAbsolute(file) && path.parse(file).root !== path.resolve(file));
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.entries(value).flatMap(([key, one]) => [key, ...textsIn(one)]) : [];
}

function pathOf(text: string): readonly string[] {
  if (!text.startsWith('file:')) return [text];
  const file = resultOrError(() => fileURLToPath(text));
  return file instanceof LspanError ? [] : [file];
}
