import type { z } from 'zod';
import { suggestName } from '../core/nearest-name.ts';
import { keysAt } from './schema.ts';

const shown = 3;

/** Says for each fault of a user's file which key it is, what is wrong and how to write it. */
export function explainIssues(issues: readonly z.core.$ZodIssue[]): string {
  const sentences = issues.flatMap(explain);
  const more = sentences.length > shown ? ` (${sentences.length - shown} more)` : '';
  return sentences.slice(0, shown).join('; ') + more;
}

function explain(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'unrecognized_keys' && isTable(issue.path)) {
    const known = Object.keys(keysAt(issue.path));
    return issue.keys.map(
      (key) => `${keyPath([...issue.path, key])}: unknown key. ${suggestName(key, known)}`,
    );
  }
  const what = issue.message.replace(/^(Invalid|Too \w+)( \w+)?: /, '').replace(/\.$/, '');
  return [`${keyPath(issue.path)}: ${what}.${example(issue.path)}`];
}

/** Whether a place is the whole file or one server, and not inside a key's value. */
function isTable(place: readonly PropertyKey[]): boolean {
  return place.length === 0 || (place[0] === 'servers' && place.length === 2);
}

function keyPath(place: readonly PropertyKey[]): string {
  if (place.length === 0) return 'the file';
  return place
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}

/** How the key at a place, or the key that holds it, is written. */
function example(place: readonly PropertyKey[]): string {
  const key = String(place[0] === 'servers' && place.length > 2 ? place[2] : place[0]);
  const table = keysAt(place.length > 2 ? place : []);
  const examples = Object.hasOwn(table, key) ? table[key]?.meta()?.examples : undefined;
  return Array.isArray(examples) ? ` Write it like ${examples[0]}` : '';
}
