import { type BigIntStats, lstatSync, statSync } from 'node:fs';

/** What stands at a path; nothing where there is nothing, or where this user may not look. */
export function fileFacts(
  path: string,
  { followLinks = false }: { readonly followLinks?: boolean } = {},
): BigIntStats | undefined {
  const look = followLinks ? statSync : lstatSync;
  try {
    return look(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
