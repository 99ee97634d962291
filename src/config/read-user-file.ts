import path from 'node:path';
import { LspanError } from '../core/errors.ts';
import { hideHome } from '../platform/files/hide-home.ts';
import { isJson, parseFile } from './parse-file.ts';
import { readOwnFile } from './read-own-file.ts';
import type { ExampleForm } from './schema/key-example.ts';
import { keyLines } from './schema/key-lines.ts';
import { type UserFile, userSchema } from './schema/schema.ts';
import { schemaErrors } from './schema/schema-errors.ts';
import { translateKeys } from './schema/translate-keys.ts';

/** Configuration given as a value instead of a file. */
export interface GivenConfig {
  readonly value: unknown;
  /** Its source, for error messages. */
  readonly name: string;
  /** The text that it was read from, if errors are to name lines. */
  readonly text?: string;
}

/** The keys of a user's configuration, and notes about keys of other programs in it. */
export interface UserConfig {
  readonly keys: UserFile;
  readonly notes: readonly string[];
}

/** Reads the user's configuration file. Every fault is an error that names the fix. */
export function readUserFile(file: string): UserConfig {
  const name = hideHome(file);
  if (!['.toml', '.json'].includes(path.extname(file)))
    throw wrong(name, 'its name must end in .toml or .json.');
  const reading = readOwnFile(file, { followLinks: true });
  if ('wrong' in reading) throw wrong(name, reading.wrong);
  const parsed = parseFile(file, reading.text);
  if ('wrong' in parsed) throw wrong(name, parsed.wrong);
  return checkUserConfig({ value: parsed.value, name, text: reading.text }, isJson(file) ? 'json' : 'toml');
}

/** Validates a user's configuration. Every fault is an error that names the fix. */
export function checkUserConfig(
  { value: given, name, text = '' }: GivenConfig,
  form: ExampleForm,
): UserConfig {
  const { value, notes } = translateKeys(given);
  const checked = userSchema.safeParse(value);
  if (!checked.success)
    throw wrong(name, schemaErrors(checked.error.issues, { value, form, lineOf: keyLines(text, form) }));
  const duplicate = firstDuplicate((checked.data.servers ?? []).map(({ id }) => id));
  if (duplicate !== undefined)
    throw wrong(name, `servers: the id ${duplicate} is given twice. Join the two entries.`);
  return { keys: checked.data, notes };
}

function firstDuplicate(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) !== index);
}

function wrong(name: string, what: string): LspanError {
  return new LspanError('invalid_input', `The configuration ${name} cannot be used: ${what}`, {
    nextStep: 'Correct the configuration, then start lspan again.',
  });
}
