import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { limits } from '../../core/limits.ts';
import { fileFacts } from '../../platform/files/file-facts.ts';
import { writePrivateFile } from '../../platform/files/private-file.ts';

/** Writes what the token file shall hold into a file of its own beside it, so that none is ever seen half written. */
export function writeDraft(file: string, tokens: readonly string[]): string {
  const draft = `${file}.${randomBytes(8).toString('hex')}.new`;
  writePrivateFile(draft, `${tokens.join('\n')}\n`);
  return draft;
}

/**
 * Who makes the first token gives a draft the name of the file, which only one can, and then takes the draft's own
 * name away. Until it has come to that, or where the maker was killed before, whoever reads the file does it.
 */
export function forgetDraftsOf(file: string, inode: bigint): void {
  forget(file, (draft) => fileFacts(draft)?.ino === inode);
}

/** Removes what somebody has left who was killed while writing. */
export function forgetOldDrafts(file: string): void {
  forget(file, isAbandoned);
}

/** Whether something was made longer ago than any writing takes: who made it is gone. */
export function isAbandoned(made: string): boolean {
  const stats = fileFacts(made);
  return stats !== undefined && Math.abs(Date.now() - Number(stats.mtimeMs)) > limits.http.tokenWriting;
}

function forget(file: string, concerned: (draft: string) => boolean): void {
  const folder = path.dirname(file);
  try {
    const names = readdirSync(folder).filter((name) => name.startsWith(`${path.basename(file)}.`));
    const drafts = names.filter((name) => name.endsWith('.new')).map((name) => path.join(folder, name));
    for (const draft of drafts.filter(concerned)) rmSync(draft, { force: true });
  } catch {
    // What cannot be removed is judged by whoever reads.
  }
}
