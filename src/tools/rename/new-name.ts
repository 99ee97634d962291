import { LspanError } from '../../core/errors.ts';
import { hasOddNames, isReserved } from '../../source-text/reserved-words.ts';

/** Checks what can be known of a new name without asking a server, which some do not check at all. */
export function checkNewName(name: string): void {
  if (name === '') throw wrong('A new name cannot be empty.');
  if (name.length > longest)
    throw wrong(`The new name has ${name.length} characters; more than ${longest} are no name.`);
  if (unprintable.test(name)) throw wrong('The new name holds a line break or a control character.');
  if (/\s/u.test(name)) throw wrong(`The new name ${JSON.stringify(name)} holds white space.`);
  if (/[\\/]/.test(name)) throw wrong(`The new name ${JSON.stringify(name)} holds a path separator.`);
}

/** Checks that a name can take the place of another in a file. */
export function checkRenaming(file: string, from: string, to: string): void {
  if (from === to) throw wrong(`It is called ${JSON.stringify(from)} already.`);
  if (isReserved(file, to)) throw wrong(`${JSON.stringify(to)} is a keyword of the language.`);
  if (identifier.test(from) && !identifier.test(to) && !hasOddNames(file))
    throw wrong(`${JSON.stringify(to)} is not an identifier, as ${JSON.stringify(from)} is.`);
}

const longest = 200;
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

function wrong(message: string): LspanError {
  return new LspanError('invalid_input', message, { nextStep: 'Give another `new_name`.' });
}
