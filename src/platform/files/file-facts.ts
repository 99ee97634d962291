import { type BigIntStats, lstatSync, statSync } from 'node:fs';

/** Returns the stats of a path; `undefined` if there is nothing, or this user has no access. */
export function fileFacts(
  path: string,
  { followLinks = false }: { readonly followLinks?: boolean } = {},
): BigIntStats | undefined {
  const stat = followLinks ? statSync : lstatSync;
  try {
    return stat(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
