import type { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { suggestName } from '../../core/wording/nearest-name.ts';
import { type ExampleForm, exampleOf } from './key-example.ts';
import { tableAt } from './schema.ts';

/** Says for each fault of a user's file which key it is, what is wrong and how to write it. */
export function schemaErrors(issues: readonly z.core.$ZodIssue[], form: ExampleForm): string {
  const sentences = issues.flatMap((issue) => explain(issue, form));
  const more =
    sentences.length > limits.named.schemaErrors
      ? ` (${sentences.length - limits.named.schemaErrors} more)`
      : '';
  return sentences.slice(0, limits.named.schemaErrors).join('; ') + more;
}

function explain(issue: z.core.$ZodIssue, form: ExampleForm): string[] {
  const table = issue.code === 'unrecognized_keys' ? tableAt(issue.path) : undefined;
  if (issue.code === 'unrecognized_keys' && table !== undefined) {
    const known = Object.keys(table);
    return issue.keys.map(
      (key) => `${keyPath([...issue.path, key])}: unknown key. ${suggestName(key, known)}`,
    );
  }
  const what = issue.message.replace(/^(Invalid|Too \w+)( \w+)?: /, '').replace(/\.$/, '');
  return [`${keyPath(issue.path)}: ${what}.${example(issue.path, form)}`];
}

function keyPath(keys: readonly PropertyKey[]): string {
  if (keys.length === 0) return 'the file';
  return keys
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}

/** Returns the example of the key at a path, or of the nearest enclosing key that has one. */
function example(keys: readonly PropertyKey[], form: ExampleForm): string {
  for (let length = keys.length; length > 0; length -= 1) {
    const table = tableAt(keys.slice(0, length - 1));
    const key = String(keys[length - 1]);
    const written = table && Object.hasOwn(table, key) ? exampleOf(table[key], form) : undefined;
    if (written !== undefined) return ` Write it like ${written}`;
  }
  return '';
}
