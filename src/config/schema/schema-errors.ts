import type { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { nearestName, suggestName } from '../../core/wording/nearest-name.ts';
import { type ExampleForm, exampleOf } from './key-example.ts';
import { tableAt } from './schema.ts';

/** Where the faults are. */
interface FaultyFile {
  readonly value: unknown;
  readonly form: ExampleForm;
  /** Returns the line of a key, or of the nearest key around it. */
  readonly lineOf: (keys: readonly PropertyKey[]) => number | undefined;
}

/** Says for each fault of a user's file which key it is, what is wrong and how to write it, in our own words. */
export function schemaErrors(issues: readonly z.core.$ZodIssue[], file: FaultyFile): string {
  const sentences = issues.flatMap((issue) => explain(issue, file));
  const more =
    sentences.length > limits.named.schemaErrors
      ? ` (${sentences.length - limits.named.schemaErrors} more)`
      : '';
  return sentences.slice(0, limits.named.schemaErrors).join('; ') + more;
}

function explain(issue: z.core.$ZodIssue, { value, form, lineOf }: FaultyFile): string[] {
  const at = (keys: readonly PropertyKey[]) => {
    const line = lineOf(keys);
    return `${line === undefined ? '' : `line ${line}, `}${keyPath(keys)}`;
  };
  const table = issue.code === 'unrecognized_keys' ? tableAt(issue.path) : undefined;
  if (issue.code === 'unrecognized_keys' && table !== undefined) {
    const known = Object.keys(table);
    return issue.keys.map((key) => `${at([...issue.path, key])}: unknown key. ${suggestName(key, known)}`);
  }
  const given = valueAt(value, issue.path);
  const what = `${wish(issue, shown(given, issue.code === 'invalid_value'))}.${meantWord(issue, given)}`;
  return [`${at(issue.path)}: ${what}${example(issue.path, form)}`];
}

/** Says what a value must be; `not` is how the given one is called, absent where a message must not repeat it. */
export function wish(issue: z.core.$ZodIssue, not?: string): string {
  const instead = not === undefined ? '' : `, not ${not}`;
  switch (issue.code) {
    case 'invalid_type':
      return not === 'nothing'
        ? 'is missing'
        : `must be ${kinds[issue.expected] ?? 'something else'}${instead}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map((one) => JSON.stringify(one)).join(', ')}${instead}`;
    case 'too_small':
      return isNumber(issue.origin) ? `must be at least ${issue.minimum}${instead}` : 'is empty';
    case 'too_big':
      return isNumber(issue.origin)
        ? `must be at most ${issue.maximum}${instead}`
        : `has more than ${issue.maximum} ${issue.origin === 'string' ? 'characters' : 'entries'}`;
    case 'invalid_key':
      return `cannot be a key${issue.issues[0] ? `: it ${wish(issue.issues[0])}` : ''}`;
    case 'unrecognized_keys':
      return `has the unknown keys ${issue.keys.join(', ')}`;
    default:
      // Every check that is left has a message of ours.
      return issue.message;
  }
}

function isNumber(origin: string): boolean {
  return origin === 'number' || origin === 'int';
}

const kinds: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'a table',
  record: 'a table',
};

/** A text is repeated only where a word of ours is wanted: others may be secret. */
function shown(value: unknown, isWord: boolean): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string' && isWord) return JSON.stringify(value.slice(0, limits.quoted.argument));
  if (typeof value === 'string') return 'a text';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'a table' : String(value);
}

/** Returns the word that was probably meant, where only some are allowed. */
function meantWord(issue: z.core.$ZodIssue, value: unknown): string {
  const words = issue.code === 'invalid_value' ? issue.values.map(String) : [];
  const nearest = typeof value === 'string' ? nearestName(value, words) : undefined;
  return nearest === undefined ? '' : ` Did you mean ${JSON.stringify(nearest)}?`;
}

function valueAt(value: unknown, keys: readonly PropertyKey[]): unknown {
  return keys.reduce<unknown>((inner, key) => {
    const isThere = typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key);
    return isThere ? Reflect.get(inner, key) : undefined;
  }, value);
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
