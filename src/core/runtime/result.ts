import { asLspanError, type LspanError } from '../errors.ts';

/** What was found, or why not, as a value. */
export function resultOrError<T>(find: () => T): T | LspanError {
  try {
    return find();
  } catch (error) {
    return asLspanError(error);
  }
}
