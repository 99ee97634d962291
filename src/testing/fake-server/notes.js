import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What this process does, and a way to note what happens to it. What is given is a script, of which nothing is noted,
 * or the scripts of one process after the other and the folder of the notes.
 */
export function openNotes(given) {
  if (!given.lives) return { script: given, note: () => {} };
  const { lives, notes } = given;
  const note = (name, what) => appendFileSync(join(notes, name), `${JSON.stringify(what)}\n`);
  note('pids', process.pid);
  const begun = readFileSync(join(notes, 'pids'), 'utf8').split('\n').lastIndexOf(String(process.pid));
  return { script: lives[Math.min(begun, lives.length - 1)], note };
}
