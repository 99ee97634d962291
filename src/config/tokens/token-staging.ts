import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { limits } from '../../core/limits.ts';
import { fileFacts } from '../../platform/files/file-facts.ts';
import { writePrivateFile } from '../../platform/files/private-file.ts';

/** Writes the new token file under a temporary name next to it, so that it is never seen half written. */
export function writeDraft(file: string, tokens: readonly string[]): string {
  const draft = `${file}.${randomBytes(8).toString('hex')}.new`;
  writePrivateFile(draft, `${tokens.join('\n')}\n`);
  return draft;
}

/**
 * The first token is made by hard-linking a draft to the file's name, which only one process can do, and then removing
 * the draft. Until then, or if its maker was killed before, every reader of the file removes it.
 */
export function removeDraftsOf(file: string, inode: bigint): void {
  removeDrafts(file, (draft) => fileFacts(draft)?.ino === inode);
}

/** Removes drafts of processes that were killed while writing. */
export function removeOldDrafts(file: string): void {
  removeDrafts(file, isAbandoned);
}

/** True if a file is older than any write takes, so that its writer must be gone. */
export function isAbandoned(file: string): boolean {
  const stats = fileFacts(file);
  return stats !== undefined && Math.abs(Date.now() - Number(stats.mtimeMs)) > limits.http.tokenWriting;
}

function removeDrafts(file: string, isObsolete: (draft: string) => boolean): void {
  const folder = path.dirname(file);
  try {
    const names = readdirSync(folder).filter((name) => name.startsWith(`${path.basename(file)}.`));
    const drafts = names.filter((name) => name.endsWith('.new')).map((name) => path.join(folder, name));
    for (const draft of drafts.filter(isObsolete)) rmSync(draft, { force: true });
  } catch {
    // The reader checks whatever could not be removed.
  }
}
