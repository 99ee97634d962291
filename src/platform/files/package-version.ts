import { readFileSync } from 'node:fs';
import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { isRecord, text } from '../../core/runtime/json.ts';
import { resultOrError } from '../../core/runtime/result.ts';

/** Returns the version of the npm package that contains a program, from its manifest; `undefined` if it is in none. */
export function packageVersion(program: string): string | undefined {
  const [, folder] = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(program) ?? [];
  if (folder === undefined) return undefined;
  const read = resultOrError((): unknown =>
    JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')),
  );
  return read instanceof LspanError || !isRecord(read) ? undefined : text(read.version);
}
