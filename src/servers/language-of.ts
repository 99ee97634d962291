import { basename, extname } from 'node:path';
import type { ServerDefinition } from './definition.ts';

/** Returns a server's language id of a file; `undefined` if it does not serve the file. */
export function languageOf(
  path: string,
  definition: Pick<ServerDefinition, 'extensions'>,
): string | undefined {
  const name = basename(path);
  const extension = extname(name).slice(1) || name;
  const keys = [name, `${name.split('.', 1)[0]}.*`, extension, extension.toLowerCase()];
  const known = keys.find((key) => Object.hasOwn(definition.extensions, key));
  return known === undefined ? undefined : definition.extensions[known];
}
