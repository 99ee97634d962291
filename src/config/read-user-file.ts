import path from 'node:path';
import { LspanError } from '../core/errors.ts';
import { hideHome } from '../platform/hide-home.ts';
import { explainIssues } from './explain-issues.ts';
import { isJson, parseFile } from './parse-file.ts';
import { readSmallFile } from './read-small-file.ts';
import { type UserFile, userSchema } from './schema.ts';

/** Reads the user's own configuration file. Whatever is wrong with it is an error that names the fix. */
export function readUserFile(file: string): UserFile {
  if (!['.toml', '.json'].includes(path.extname(file)))
    throw wrong(file, 'its name must end in .toml or .json.');
  const reading = readSmallFile(file, { followLinks: true });
  if ('wrong' in reading) throw wrong(file, reading.wrong);
  const parsed = parseFile(file, reading.text);
  if ('wrong' in parsed) throw wrong(file, parsed.wrong);
  const checked = userSchema.safeParse(parsed.value);
  if (!checked.success)
    throw wrong(file, explainIssues(checked.error.issues, isJson(file) ? 'json' : 'toml'));
  const twice = repeated((checked.data.servers ?? []).map(({ id }) => id));
  if (twice !== undefined)
    throw wrong(file, `servers: the id ${twice} is given twice. Join the two entries.`);
  return checked.data;
}

function repeated(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) !== index);
}

function wrong(file: string, what: string): LspanError {
  return new LspanError('invalid_input', `The configuration ${hideHome(file)} cannot be used: ${what}`, {
    nextStep: 'Correct the configuration file, then start lspan again.',
  });
}
