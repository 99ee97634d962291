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

/** Returns what identifies the folder at a path for all processes of this machine; empty if there is none. */
export function folderIdentity(path: string): string {
  const facts = fileFacts(path, { followLinks: true });
  return facts ? `${facts.dev}:${facts.ino}` : '';
}

/** Returns whether a path leads to what it led to before. */
export function isSameFile(before: BigIntStats | undefined, now: BigIntStats | undefined): boolean {
  return (
    before !== undefined && before.dev === now?.dev && before.ino === now.ino && hasSameBirth(before, now)
  );
}

/** A new file may get the number of the old one. Where no birth is recorded, the time of the last change stands for it. */
function hasSameBirth(before: BigIntStats, now: BigIntStats): boolean {
  const isKnown = [before, now].every(({ birthtimeNs, ctimeNs }) => birthtimeNs !== ctimeNs);
  return !isKnown || before.birthtimeNs === now.birthtimeNs;
}
